// products of different elements
void f(int16_t *o, const int16_t *a, const int16_t *w, const int16_t *b) {
  for (int i = 0; i < 64; i++) o[i] = a[i] * w[0] + a[i + 1] * b[1]; }
