// pointers that move on
void f(const int16_t *restrict a, const int16_t *restrict w, int16_t *restrict b) {
  const v16int16 *p = (const v16int16 *)a;
  v16int16 *q = (v16int16 *)b;
  v16int16 z = *(v16int16 *)w;
  for (int i = 0; i < 4; i++) {
    v32int16 x = undef_v32int16();
    x = upd_w(x, 0, *p++);
    x = upd_w(x, 1, *p);
    *q++ = srs(mul16(x, 0, 0x03020100, 0x07060504, 0x2110, z, 0, 0, 0, 1), 4);
  }
}
