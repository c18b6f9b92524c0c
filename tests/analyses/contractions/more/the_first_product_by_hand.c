// the first product by hand
void f(int32_t *o, const int16_t *a, const int16_t *w) {
  for (int i = 0; i < 24; i++) {
    o[i] = a[i] * w[0];
    for (int k = 1; k < 5; k++) o[i] += a[i + k] * w[k]; } }
