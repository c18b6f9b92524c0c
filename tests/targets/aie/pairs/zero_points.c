void f(const uint8_t I[10][40], const uint8_t W[3][3], int32_t O[8][32]) {
  for (int y = 0; y < 8; y++) for (int x = 0; x < 32; x++) {
    O[y][x] = 0;
    for (int s = 0; s < 3; s++) for (int r = 0; r < 3; r++)
      O[y][x] += (I[y + s][x + r] - 128) * (W[s][r] - 7);
  }
}
