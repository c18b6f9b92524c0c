// structures
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
