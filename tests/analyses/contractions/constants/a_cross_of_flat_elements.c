// a cross of flat elements
void f(int32_t *O, const int32_t *I) {
  for (int y = 1; y < 7; y++) for (int x = 1; x < 19; x++)
    O[y * 20 + x] = 4 * I[y * 20 + x] - I[(y - 1) * 20 + x] - I[(y + 1) * 20 + x]
      - I[y * 20 + x - 1] - I[y * 20 + x + 1];
}
