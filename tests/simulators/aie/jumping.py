"""Kernels with jumps, switches and structures: ``k`` takes ``a`` and ``w`` and fills ``b``."""

JUMPING = {
    "loops that are left": """
void k(const int32_t *restrict a, const int32_t *restrict w, int32_t *restrict b) {
  int n = 0;
  for (int i = 0; i < 64; i++) { if (a[i] > 1900) break; n += a[i]; if (a[i] < -1990) {
      b[1] = i; break; } if (a[i] & 1) continue; n++; }
  b[0] = n;
  int j = 0;
  while (1) { if (++j > 20) break; if (a[j] == 5) break; b[2 + j] = a[j] > 0 ? w[j] : a[j + 1];
      }
  b[60] = j;
}
""",
    "switches": """
enum mode { LOW, MID, HIGH = 5 };
static int pick(int m, int v) { switch (m) { case LOW: return v; case MID: v += 3;
    case HIGH: v *= 2; break; case 9: { v = 1; break; } default: if (v > 100) break; v = -v; }
    return v + 1; }
void k(const int32_t *restrict a, const int32_t *restrict w, int32_t *restrict b) {
  for (int i = 0; i < 64; i++) { int r = 0; switch (a[i] & 7) { case 0: case 1: r = 7; break;
      case 2: r = 1; default: r += w[i]; break; case 5: r = 3; if (w[i] > 0) break; r = 4; }
    b[i] = r + pick(a[i] & 7, w[i]) + pick(1, 4); }
}
""",
    "choices between vectors": """
void k(const int32_t *restrict a, const int32_t *restrict w, int32_t *restrict b) {
  const v8int32 *pa = (const v8int32 *)a; const v8int32 *pw = (const v8int32 *)w;
      v8int32 *pb = (v8int32 *)b;
  v8acc80 acc = null_v8acc80();
  for (int i = 0; i < 8; i++) chess_prepare_for_pipelining {
    v8int32 x = i & 1 ? *pa++ : *pw++;
    v16int32 xx = concat(x, i > 3 ? x : pw[0]);
    acc = i == 4 ? lmul8(xx, 0, 0x76543210, x, 0, 0) : lmac8(acc, xx, 1, 0x76543210, x, 0, 0);
    *pb++ = srs(acc, 4);
  }
}
""",
    "structures": """
typedef struct { v16int32 state; int pos; int taps[4]; } fir_t;
struct pair { v8acc80 even, odd; };
static inline void push(fir_t *s, const v8int32 *p) { s->state = upd_w(s->state, s->pos & 1,
    *p); s->pos++; }
static inline struct pair mulpair(fir_t &s, v8int32 z) { struct pair r;
    r.even = lmul8(s.state, 0, 0x76543210, z, 0, 0);
    r.odd = lmul8(s.state, 8, 0x76543210, z, 1, 0); return r; }
void k(const int32_t *restrict a, const int32_t *restrict w, int32_t *restrict b) {
  fir_t s; s.state = null_v16int32(); s.pos = 0;
  const v8int32 *pa = (const v8int32 *)a; v8int32 *pb = (v8int32 *)b;
      v8int32 z = *(const v8int32 *)w;
  struct pair t = {null_v8acc80(), null_v8acc80()};
  push(&s, pa); push(&s, pa + 1);
  for (int i = 0; i < 4; i++) { struct pair p = mulpair(s, z); t = p; *pb++ = srs(t.even, 2);
      *pb++ = srs(p.odd, 2); s.taps[i] = i; s.pos += s.taps[i]; }
  b[64] = s.pos;
}
""",
    "a do loop with continue": """
void k(const int32_t *restrict a, const int32_t *restrict w, int32_t *restrict b) {
  int i = 0; do { if (a[i] > 1000) { i += 2; continue; } if (a[i] < -1500) break; b[i] = w[i];
      i++; } while (i < 60);
  b[63] = i;
}
""",
    "a filter's state": """
enum { FN = 64 };
typedef struct fir_s { v32int16 buf; v16int16 coef; unsigned n; } fir_s;
static inline void fir_init(fir_s *f, const int16_t *w) { f->buf = null_v32int16();
    f->coef = *(v16int16 *)w; f->n = 0; }
static inline v8int16 fir_step(fir_s *f, v8int16 x) {
  switch (f->n++ & 3) {
    case 0: f->buf = upd_v(f->buf, 0, x); break;
    case 1: f->buf = upd_v(f->buf, 1, x); break;
    case 2: f->buf = upd_v(f->buf, 2, x); break;
    default: f->buf = upd_v(f->buf, 3, x); break;
  }
  v8acc48 acc = mul8(f->buf, 0, 0x03020100, 2, 0x2110, f->coef, 0, 0, 1);
  acc = mac8(acc, f->buf, 4, 0x03020100, 2, 0x2110, f->coef, 4, 0, 1);
  return srs(acc, 6);
}
void k(const int16_t *restrict a, const int16_t *restrict w, int16_t *restrict b) {
  fir_s f; fir_init(&f, w);
  const v8int16 *pa = (const v8int16 *)a; v8int16 *pb = (v8int16 *)b;
  for (int i = 0; i < FN / 8; i++) chess_prepare_for_pipelining chess_loop_range(8,) {
      *pb++ = fir_step(&f, *pa++); }
}
""",
    "a register in both halves": """
void k(const int32_t *restrict a, const int32_t *restrict w, int32_t *restrict b) {
  const v8int32 *restrict m = (const v8int32 *)a; v8int32 *restrict o = (v8int32 *)b;
  v8int32 v = *(const v8int32 *)w;
  v16int32 x = undef_v16int32();
  v8acc80 acc;
  int j = 0;
  do {
    x = upd_w(x, 0, *m++);
    acc = j == 0 ? lmul8(x, 0, 0x76543210, v, 0, 0) : j == 1 ? lmac8(acc, x, 0, 0x76543210, v,
        1, 0) : lmac8(acc, x, 0, 0x76543210, v, 2, 0);
  } while (++j < 3);
  *o = srs(acc, 3);
}
""",
    "the best of a few": """
void k(const int32_t *restrict a, const int32_t *restrict w, int32_t *restrict b) {
  int best = -2147483647, at = -1, n = 0;
  for (int i = 0; i < 128; i++) { int v = a[i] * w[i & 7]; if (v <= best) continue; best = v;
      at = i; if (++n == 6) break; }
  b[0] = best; b[1] = at; b[2] = n;
}
""",
    "breaks in nests": """
void k(const int32_t *restrict a, const int32_t *restrict w, int32_t *restrict b) {
  int total = 0;
  for (int y = 0; y < 8; y++) {
    int x;
    for (x = 0; x < 16; x++) {
      int v = a[y * 16 + x];
      if (v > 1500) break;
      if (v < 0) { if (v < -1800) break; continue; }
      total += v;
    }
    b[y] = x;
    if (total > 20000) break;
  }
  b[15] = total;
}
""",
    "structures of the file": """
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
""",
    "a switch that goes on": """
void k(const int32_t *restrict a, const int32_t *restrict w, int32_t *restrict b) {
  int n = 0;
  for (int i = 0; i < 40; i++) {
    switch (a[i] & 3) {
      case 0: continue;
      case 1: n += 1; break;
      case 2: if (w[i] > 0) continue; n += 10; break;
      default: n += 100;
    }
    b[i] = n;
  }
  b[50] = n;
}
""",
    "a return out of a loop": """
static int find(const int32_t *p, int n) { for (int i = 0; i < n; i++) {
    if (p[i] > 900) return i; } return -1; }
void k(const int32_t *restrict a, const int32_t *restrict w, int32_t *restrict b) {
    b[0] = find(a, 64); b[1] = find(w, 3); }
""",
    "a loop unrolled up to its break": """
void k(const int32_t *restrict a, const int32_t *restrict w, int32_t *restrict b) {
  v8acc80 acc[4];
  for (int i = 0; i < 4; i++) { if (i == 3) break;
      acc[i] = lups(*(const v8int32 *)(a + 8 * i), i); }
  for (int i = 0; i < 3; i++) *(v8int32 *)(b + 8 * i) = srs(acc[i], 1);
}
""",
}
