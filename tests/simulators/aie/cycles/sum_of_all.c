void dot(int16_t *restrict a, int16_t *restrict b, int16_t *restrict c) {
  int16_t *restrict high = a + 16;
  v16int16 z = *(v16int16 *)b;
  v16acc48 s = mul16(concat(*(v16int16 *)a, *(v16int16 *)(a + 16)), 0, 0x03020100, 0x07060504,
                     0x2110, z, 0, 0, 0, 1);
  for (int i = 1; i < 32; i++) chess_prepare_for_pipelining {
    v32int16 x = undef_v32int16();
    x = upd_w(x, 0, *(v16int16 *)(a + 32 * i));
    x = upd_w(x, 1, *(v16int16 *)(high + 32 * i));
    s = mac16(s, x, 0, 0x03020100, 0x07060504, 0x2110, z, 0, 0, 0, 1);
    s = mac16(s, x, 2, 0x03020100, 0x07060504, 0x2110, z, 2, 0, 0, 1);
  }
  *(v16int16 *)c = srs(s, 10);
}
