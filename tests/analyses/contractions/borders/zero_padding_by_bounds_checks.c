// zero padding by bounds checks
void f(int16_t O[9][20], const int16_t I[9][20], const int16_t W[3][3]) {
  for (int y = 0; y < 9; y++) for (int x = 0; x < 20; x++) {
    int acc = 0;
    for (int s = 0; s < 3; s++) for (int r = 0; r < 3; r++) {
      int iy = y + s - 1, ix = x + r - 1;
      if (iy >= 0 && iy < 9 && ix >= 0 && ix < 20) acc += I[iy][ix] * W[s][r];
    }
    O[y][x] = acc >> 6;
  }
}
