// windows
void f(input_window_int16 *restrict a, input_window_int16 *w, output_window_int16 *restrict b) {
  v16int16 z = window_readincr_v16(w);
  window_acquire(a);
  for (int i = 0; i < 3; i++) {
    v32int16 x = undef_v32int16();
    x = upd_w(x, 0, window_readincr_v16(a));
    x = upd_w(x, 1, window_read_v16(a));
    window_writeincr(b, srs(mul16(x, 6, 0x03020100, 0x07060504, 0x2110, z, 0, 0, 0, 1), 15));
    window_incr(a, 16);
  }
  window_writeincr(b, window_readincr_v16(a));
}
