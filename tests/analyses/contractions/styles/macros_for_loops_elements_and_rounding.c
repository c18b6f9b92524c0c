// macros for loops, elements and rounding
#define FOR(i, n) for (int i = 0; i < (n); ++i)
#define AT(p, y, x, w) (p)[(y) * (w) + (x)]
#define SRS(v, s) ((int16_t)(((v) + (1 << ((s) - 1))) >> (s)))
void f(const int16_t *restrict in, const int16_t *restrict w, int16_t *restrict out) {
  FOR(y, 8) FOR(x, 32) {
    int32_t acc = 0;
    FOR(s, 3) FOR(r, 3) acc += AT(in, y + s, x + r, 48) * AT(w, s, r, 3);
    AT(out, y, x, 32) = SRS(acc, 10);
  }
}
