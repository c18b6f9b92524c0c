// strides and dilation into what is there
void f(int32_t *o, const int32_t *a, const int32_t *w) {
  for (int i = 0; i < 25; i++) for (int p = 0; p < 8; p++) o[i] += a[2 * i + 3 * p] * w[p]; }
