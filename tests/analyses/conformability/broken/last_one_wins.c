// YNYY N
void f(int out[restrict 8], const int in[restrict 8][9]) {
  for (int i = 0; i < 8; i++)
    for (int j = 0; j < 9; j++)
      out[i] = in[i][j];  // R2: output dependence through 'out'
}
