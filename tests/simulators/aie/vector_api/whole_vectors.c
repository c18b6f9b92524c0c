alignas(v16int16) int16_t table[16] = {3, -1, 4, 1, -5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};
void k(input_window_int16 *a, const int32_t *restrict w, output_window_int16 *b) {
  int16 first; v16int16 x;
  window_readincr(a, first);
  window_incr(a, 15);
  window_readincr(a, x);
  v16acc48 s = mul(x, *(v16int16 *)table);
  s = mac(s, x, x);
  window_writeincr(b, srs(s, 3));
  window_writeincr(b, first);
  v8acc80 t = lmac(lmul(*(v8int32 *)w, *(v8int32 *)w), *(v8int32 *)w, *(v8int32 *)(w + 8));
  window_incr(b, 15);
  window_writeincr(b, shft_elem(null_v16int16(), (int16)ext_elem(srs(t, 8), 5)));
}
