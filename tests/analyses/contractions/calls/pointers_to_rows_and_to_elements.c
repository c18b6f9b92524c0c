// pointers to rows and to elements
void f(int16_t *out, const int16_t I[10][48], const int16_t *w) {
  const int16_t *p = &I[0][0];
  int16_t (*O)[32] = (int16_t (*)[32])out;
  const int16_t (*W)[3] = (const void *)w;
  for (int y = 0; y < 8; y++) for (int x = 0; x < 32; x++) {
    int acc = 0;
    for (int s = 0; s < 3; s++) for (int r = 0; r < 3; r++)
      acc += p[(y + s) * 48 + x + r] * W[s][r];
    O[y][x] = acc >> 10;
  }
}
