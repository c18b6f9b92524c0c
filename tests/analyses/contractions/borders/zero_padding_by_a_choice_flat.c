// zero padding by a choice, flat
void f(int16_t *O, const int16_t *I, const int16_t *W) {
  for (int y = 0; y < 7; y++) for (int x = 0; x < 20; x++) {
    int acc = 0;
    for (int s = -2; s <= 2; s++) for (int r = -2; r <= 2; r++) {
      int v = (y + s < 0 || y + s >= 7 || x + r < 0 || x + r >= 20) ? 0 : I[(y + s) * 20 + x + r];
      acc += v * W[(s + 2) * 5 + r + 2];
    }
    O[y * 20 + x] = acc >> 6;
  }
}
