// rows that end where the program stops
void f(int16_t *O, const int16_t *I, const int16_t *w) {
  for (int y = 0; y < 6; y++) for (int x = 0; x < 20; x++) {
    int acc = 0;
    for (int s = 0; s < 3; s++) for (int r = 0; r < 5; r++)
      acc += I[(y + s) * 48 + x + r] * w[s * 5 + r];
    O[y * 24 + x] = acc >> 6;
  }
}
