// a filter's state
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
