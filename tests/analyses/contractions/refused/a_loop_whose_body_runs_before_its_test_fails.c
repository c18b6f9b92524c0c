// a loop whose body runs before its test fails
void f(int32_t *o, const int16_t *a, const int16_t *w) {
  for (int i = 0; i < 64; i++) { int k = 4; do o[i] += a[i + k] * w[k]; while (++k < 4); } }
