// a pointer or index that is read from memory
void f(int32_t *o, const int16_t *a, const int16_t *w, int *at) {
  const int16_t *p = a + at[0];
  for (int i = 0; i < 64; i++) {
    at[0] = i;
    for (int k = 0; k < 4; k++) o[i] += p[i + k] * w[k]; } }
