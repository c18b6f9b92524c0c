void lstm_single_cell(int gates[restrict 4][128], const int joined[restrict 256],
                      const int w[restrict 4][128][256]) {
  for (int g = 0; g < 4; g++)
    for (int n = 0; n < 128; n++)
      for (int k = 0; k < 256; k++) gates[g][n] += w[g][n][k] * joined[k];
}
