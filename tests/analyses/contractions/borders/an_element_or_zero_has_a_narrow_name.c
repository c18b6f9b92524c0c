// an element or zero has a narrow name
void f(int32_t O[5][8], const int16_t I[9][15], const int16_t W[3][3]) {
  for (int y = 0; y < 5; y++) for (int x = 0; x < 8; x++) {
    int acc = 0;
    for (int s = 0; s < 3; s++)
      for (int r = 0; r < 3; r++) {
        int iy = 2 * y + s - 1, ix = 2 * x + r - 1;
        int16_t v = iy >= 0 && iy < 9 && ix >= 0 && ix < 15 ? I[iy][ix] : 0;
        int16_t w = W[s][r];
        acc += v * w;
      }
    O[y][x] = acc;
  }
}
