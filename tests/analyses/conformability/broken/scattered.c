// YYYN N
void f(int out[restrict 64]) {
  for (int i = 0; i < 8; i++)
    for (int j = 0; j < 3; j++)
      out[2 * i + j] += 5;  // R4: has steps
}
