// tiles
void f(int16_t O[16][64], const int16_t *restrict I, const int16_t W[3][3]) {
  for (int yy = 0; yy < 16; yy += 4) for (int xx = 0; xx < 64; xx += 16)
    for (int y = yy; y < yy + 4; y++) for (int x = 0; x < 16; x++) {
      int acc = 0;
      for (int s = 0; s < 3; s++) for (int r = 0; r < 3; r++)
        acc += I[(y + s) * 80 + xx + x + r] * W[s][r];
      O[y][xx + x] = acc >> 10;
    }
}
