void pooling(int out[restrict 8][7][7], const int in[restrict 8][15][15]) {
  for (int c = 0; c < 8; c++)
    for (int y = 0; y < 7; y++)
      for (int x = 0; x < 7; x++)
        for (int r = 0; r < 3; r++)
          for (int s = 0; s < 3; s++)
            out[c][y][x] = in[c][2 * y + r][2 * x + s] > out[c][y][x] ? in[c][2 * y + r][2 * x + s]
                                                                      : out[c][y][x];
}
