// a pointer becomes one to another type
void f(int16_t *o, const int16_t *a, const int16_t *w) {
  const int8_t *p = a;
  for (int i = 0; i < 64; i++) { int s = 0;
    for (int k = 0; k < 4; k++) s += p[i + k] * w[k];
    o[i] = s; } }
