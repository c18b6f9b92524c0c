void conv2d_dilated(int out[restrict 8][12][12], const int in[restrict 3][16][16],
                    const int w[restrict 8][3][3][3]) {
  for (int k = 0; k < 8; k++)
    for (int c = 0; c < 3; c++)
      for (int y = 0; y < 12; y++)
        for (int x = 0; x < 12; x++)
          for (int r = 0; r < 3; r++)
            for (int s = 0; s < 3; s++)
              out[k][y][x] += in[c][y + 2 * r][x + 2 * s] * w[k][c][r][s];
}
