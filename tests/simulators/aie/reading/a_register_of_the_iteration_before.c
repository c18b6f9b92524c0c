// a register of the iteration before
void f(const int16_t *a, const int16_t *w, int16_t *b) {
  v32int16 x = undef_v32int16();
  x = upd_w(x, 0, *(v16int16 *)a);
  v16int16 z = *(v16int16 *)w;
  for (int i = 0; i < 6; i += 2) {
    x = upd_w(x, 1, *(v16int16 *)(a + 16 * i + 16));
    *(v16int16 *)(b + 16 * i) = srs(mul16(x, 2, 0x03020100, 0x07060504, 0x2110, z, 0, 0, 0, 1), 8);
    x = upd_w(x, 0, *(v16int16 *)(a + 16 * i + 32));
    *(v16int16 *)(b + 16 * i + 16) =
        srs(mul16(x, 18, 0x03020100, 0x07060504, 0x2110, z, 0, 0, 0, 1), 8);
  }
}
