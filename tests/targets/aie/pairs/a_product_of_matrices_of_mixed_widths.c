void f(const int16_t I[6][16], const int8_t W[16][32], int32_t O[6][32]) {
  for (int y = 0; y < 6; y++) for (int c = 0; c < 16; c++) for (int x = 0; x < 32; x++) {
    if (c == 0) O[y][x] = 0;
    O[y][x] += I[y][c] * W[c][x];
  }
}
