// a step in what is changed
void f(int32_t *o, const int16_t *a, const int16_t *w) {
  for (int i = 0; i < 64; i++) for (int k = 0; k < 4; k++) *o++ += a[i + k] * w[k]; }
