// YYYN N
void f(int out[restrict 64], const int in[restrict 64]) {
  for (int i = 3; i < 64; i++)
    out[i] = in[i];  // R4: i + 3 from 0 on, has a constant
}
