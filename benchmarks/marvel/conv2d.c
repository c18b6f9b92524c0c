void conv2d(int out[restrict 8][14][14], const int in[restrict 3][16][16],
            const int w[restrict 8][3][3][3]) {
  for (int k = 0; k < 8; k++)
    for (int c = 0; c < 3; c++)
      for (int y = 0; y < 14; y++)
        for (int x = 0; x < 14; x++)
          for (int r = 0; r < 3; r++)
            for (int s = 0; s < 3; s++) out[k][y][x] += in[c][y + r][x + s] * w[k][c][r][s];
}
