void f(const int16_t (*I)[40], const int16_t W[3][3], int16_t O[4][16]) {
  for (int x = 0; x < 16; x++) for (int y = 3; y >= 0; y--) {
    long acc = 0;
    for (int s = 0; s < 3; s++) {
      const int16_t *from = I[2 * (y + s)];
      for (int r = 0; r < 3; r++) acc += (long)W[s][r] * *(from + 2 * x + r);
    }
    O[y][x] = acc >> 10;
  }
}
