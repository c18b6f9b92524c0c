void f(const int16_t I[8][32], const int16_t W[3][3], int16_t O[8][32]) {
  for (int y = 0; y < 8; y++) for (int x = 0; x < 32; x++) {
    int acc = 0;
    for (int s = -1; s <= 1; s++) {
      if (y + s < 0 || y + s > 7) continue;
      for (int r = -1; r <= 1; r++)
        acc += (x + r >= 0 && x + r < 32 ? I[y + s][x + r] : 0) * W[s + 1][r + 1];
    }
    O[y][x] = acc >> 10;
  }
}
