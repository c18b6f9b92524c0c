// numbers in the text
void f(int16_t O[6][20], const int16_t I[8][24]) {
  for (int y = 0; y < 6; y++) for (int x = 0; x < 20; x++)
    O[y][x] = I[y][x] + 2 * I[y + 1][x] + I[y + 2][x]
      - I[y][x + 2] - (I[y + 1][x + 2] << 1) - I[y + 2][x + 2];
}
