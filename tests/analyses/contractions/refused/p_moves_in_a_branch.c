// 'p' moves in a branch
void f(int16_t *o, const int16_t *a, const int16_t *w) {
  const int16_t *p = a;
  for (int i = 0; i < 64; i++) { int s = 0;
    for (int k = 0; k < 4; k++) { s += p[k] * w[k]; if (k == 3) p++; }
    o[i] = s; } }
