// all pixels and taps in one loop each
void f(int16_t *O, const int16_t *I, const int16_t *W) {
  for (int i = 0; i < 8 * 32; i++) {
    int y = i >> 5, x = i & 31, acc = 0;
    for (int t = 0; t < 9; t++) acc += I[(y + t / 3) * 40 + x + t % 3] * W[t];
    O[i] = acc >> 10;
  }
}
