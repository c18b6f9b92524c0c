// NYYY N
void f(int out[restrict 8][9], const int in[restrict 8][9]) {
  for (int i = 0; i < 8; i++)
    for (int j = 0; j < 9; j++)
      if (in[i][j] > 4)  // R1: a condition on data
        out[i][j] = in[i][j];
}
