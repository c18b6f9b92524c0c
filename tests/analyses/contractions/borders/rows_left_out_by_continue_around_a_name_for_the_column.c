// rows left out by continue, around a name for the column
void f(int32_t O[4][6], const int16_t I[3][7][11], const int16_t W[3][3][2]) {
  for (int y = 0; y < 4; y++) for (int x = 0; x < 6; x++) {
    int acc = 0;
    for (int c = 0; c < 3; c++)
      for (int s = 0; s < 3; s++) {
        int iy = 2 * y + s - 1;
        if (iy < 0 || iy >= 7) continue;
        for (int r = 0; r < 2; r++) {
          int ix = 2 * x + r;
          if (ix >= 11) continue;
          acc += I[c][iy][ix] * W[c][s][r];
        }
      }
    O[y][x] = acc;
  }
}
