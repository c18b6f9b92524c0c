// windows that go around
// a[64], b[48]
void f(input_window_int16 *a, input_window_int16 *c, output_window_int16 *b) {
  window_decr_v8(a, 2);
  for (int i = 0; i < 9; i++) chess_prepare_for_pipelining chess_loop_range(9, 9) {
    v16int16 x = window_readincr_v16(a);
    window_incr(a, 16);
    window_write(b, x);
    window_incr(b, 16);
  }
  window_decr(b, 16);
  window_writeincr(b, window_read_v16(c));
  window_writeincr(b, window_readdecr_v16(a));
}
