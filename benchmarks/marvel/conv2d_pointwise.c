void conv2d_pointwise(int out[restrict 16][14][14], const int in[restrict 8][14][14],
                      const int w[restrict 16][8]) {
  for (int k = 0; k < 16; k++)
    for (int c = 0; c < 8; c++)
      for (int y = 0; y < 14; y++)
        for (int x = 0; x < 14; x++) out[k][y][x] += in[c][y][x] * w[k][c];
}
