void conv2d_strided(int out[restrict 8][7][7], const int in[restrict 3][17][17],
                    const int w[restrict 8][3][5][5]) {
  for (int k = 0; k < 8; k++)
    for (int c = 0; c < 3; c++)
      for (int y = 0; y < 7; y++)
        for (int x = 0; x < 7; x++)
          for (int r = 0; r < 5; r++)
            for (int s = 0; s < 5; s++)
              out[k][y][x] += in[c][2 * y + r][2 * x + s] * w[k][c][r][s];
}
