// rounded, rectified, saturated by a helper
static inline int16_t helper(int v) {
  if (v < 0) return 0;
  if (v > 32767) return 32767;
  return (int16_t)v;
}
void f(int16_t O[64], const int16_t I[80], const int16_t W[8], const int16_t *b) {
  for (int x = 0; x < 64; x++) {
    int acc = b[x];
    for (int r = 0; r < 8; r++) acc += I[x + r] * W[r];
    O[x] = helper((acc + (1 << 4)) >> 5);
  }
}
