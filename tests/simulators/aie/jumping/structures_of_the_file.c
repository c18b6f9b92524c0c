// structures of the file
struct config { int shift; int gain; int off[2]; };
static const struct config CFG = { .shift = 3, .gain = 5, .off = {1, 2} };
struct point { int x, y; };
static struct point swap(struct point p) { struct point r = {p.y, p.x}; return r; }
void k(const int32_t *restrict a, const int32_t *restrict w, int32_t *restrict b) {
  struct point acc = {0};
  for (int i = 0; i < 16; i++) {
    struct point p = {a[i], w[i]};
    p = swap(p);
    acc.x += p.x * CFG.gain; acc.y -= p.y >> CFG.shift;
    if (acc.x > 5000) { acc = swap(acc); }
    b[i] = p.x + CFG.off[i & 1];
  }
  b[20] = acc.x; b[21] = acc.y;
}
