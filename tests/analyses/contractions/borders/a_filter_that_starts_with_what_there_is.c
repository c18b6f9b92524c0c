// a filter that starts with what there is
void f(int16_t *y, const int16_t *x, const int16_t *h) {
  for (int i = 0; i < 50; i++) {
    int32_t sum = 0;
    for (int k = 0; k < 9; k++) if (i - k >= 0) sum += x[i - k] * h[k];
    y[i] = sum >> 8;
  }
}
