// what depends on 'k', which changes
void f(int16_t *o, const int16_t *a, const int16_t *w) {
  int k;
  for (k = 0; k < 4; k++) o[k] = 0;
  const int16_t *p = a + k;
  for (int i = 0; i < 64; i++) for (k = 0; k < 4; k++) o[i] += p[i] * w[k]; }
