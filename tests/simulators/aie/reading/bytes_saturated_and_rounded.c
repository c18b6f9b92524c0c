// bytes, saturated and rounded
void f(const int8_t *a, const int8_t *w, int8_t *b) {
  set_rnd(rnd_conv_even);
  set_sat();
  v64int8 x = *(v64int8 *)w;
  for (int i = 0; i < 64; i += 16) {
    v32int8 z = *(v32int8 *)(a + i);
    v16acc48 sum = negmul16(x, 4, 0x00000000, 4, 0x1010, z, 0, 0x43322110, 2, 0x2110);
    sum = mac16(sum, x, 8, 0x03020100, 4, 0x1032, z, 2, 0x76543210, 2, 0x3210);
    *(v16int8 *)(b + i) = bsrs(sum, 6);
  }
}
