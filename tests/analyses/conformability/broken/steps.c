// YYYN N
void f(int out[restrict 64], const int in[restrict 64]) {
  for (int i = 0; i < 64; i += 2)
    out[i] = in[i + 1];  // R4: subscript 0 of 'out', 2 * i from 0 on, has steps
}
