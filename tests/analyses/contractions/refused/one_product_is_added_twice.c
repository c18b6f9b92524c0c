// one product is added twice
void f(int16_t *o, const int16_t *a, const int16_t *w) {
  for (int i = 0; i < 64; i++) o[i] = a[i] * w[0] + a[i + 1] * w[1] + w[0] * a[i]; }
