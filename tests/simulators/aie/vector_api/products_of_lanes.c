void k(input_window<int16> *a, input_window<int16> *w, output_window<int16> *__restrict b) {
  aie::vector<int16, 16> z = window_read_v<16>(w);
  aie::accum<acc48, 16> acc;
  for (int i = 0; i < 6; i++) chess_prepare_for_pipelining {
    aie::vector<int16, 16> x = window_readincr_v<16>(a);
    acc = aie::mul(x, z);
    acc = aie::mac(acc, x, z);
    window_writeincr(b, acc.to_vector<int16>(5));
  }
}
