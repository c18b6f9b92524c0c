void lstm_parametric_multi_cell(int cells, int state[restrict][128], const int w[restrict 128][128]) {
  for (int t = 0; t < cells; t++)
    for (int n = 0; n < 128; n++)
      for (int k = 0; k < 128; k++) state[t + 1][n] += w[n][k] * state[t][k];
}
