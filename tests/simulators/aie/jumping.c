static inline v8acc48 next(void) { return get_scd(); }
void k(const int16_t *restrict a, const int16_t *restrict w, int16_t *restrict b) {
  const v16int16 *pa = (const v16int16 *)a;
  v16int16 c = *(const v16int16 *)w;
  v8int16 *pb = (v8int16 *)b;
  for (int i = 0; i < 4; i++) {
    v8acc48 acc = i & 1 ? next() : get_scd();
    v32int16 x = undef_v32int16();
    x = upd_w(x, 0, pa[i]);
    x = upd_w(x, 1, pa[i]);
    acc = mac8(acc, x, 0, 0x03020100, 2, 0x2110, c, 0, 0, 1);
    if (i == 3) { put_mcd(acc); continue; }
    switch (i) { case 0: put_mcd(acc); break; default: *pb++ = srs(acc, 10); }
  }
}
