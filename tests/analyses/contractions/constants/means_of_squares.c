// means of squares
void f(int16_t O[4][16], const int16_t I[8][32]) {
  for (int y = 0; y < 4; y++) for (int x = 0; x < 16; x++)
    O[y][x] = (I[2 * y][2 * x] + I[2 * y][2 * x + 1] + I[2 * y + 1][2 * x]
      + I[2 * y + 1][2 * x + 1] + 2) >> 2;
}
