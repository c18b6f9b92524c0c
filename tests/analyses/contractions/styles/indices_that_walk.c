// indices that walk
void f(const int16_t *in, const int16_t *w, int16_t *out) {
  int n = 0, k;
  const int16_t *row;
  for (int y = 0; y < 8; y++) {
    row = &in[y * 48];
    for (int x = 31; x >= 0; x--) {
      int acc = 0;
      k = 9;
      for (int s = 2; s >= 0; s--) for (int r = 2; r >= 0; r--)
        acc += row[s * 48 + r] * w[--k];
      ++row;
      out[n++] = acc >> 10;
    }
  }
}
