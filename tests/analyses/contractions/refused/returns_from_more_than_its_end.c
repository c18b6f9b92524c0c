// returns from more than its end
static int helper(const int16_t *a, const int16_t *w) {
  int s = 0;
  for (int k = 0; k < 4; k++) { if (s > 9) return s; s += a[k] * w[k]; }
  return s; }
void f(int32_t *o, const int16_t *a, const int16_t *w) {
  for (int i = 0; i < 64; i++) o[i] = helper(a + i, w); }
