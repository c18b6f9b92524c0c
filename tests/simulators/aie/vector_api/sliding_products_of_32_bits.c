alignas(aie::vector_decl_align) static int32 weights[8] = {1, -2, 3, 4, 5, 6, 7, -8};
void k(input_window<int32> *restrict a, input_window<int32> *w, output_window<int32> *restrict b) {
  aie::vector<int32, 8> coeffs = aie::load_v<8>(weights);
  aie::vector<int32, 16> data;
  data.insert(0, window_readincr_v<8>(a));
  aie::tile here = aie::tile::current();
  unsigned long long start = here.cycles();
  for (unsigned i = 0; i < 4; i++) {
    data.insert(1, window_readincr_v<8>(a));
    aie::vector<int32, 8> out;
    out.insert(0, aie::sliding_mul<4, 8>(coeffs, 0, data, 1).to_vector<int32>());
    out.insert(1, aie::sliding_mul<4, 8>(coeffs, 0, data, 9).to_vector<int32>(1));
    window_writeincr(b, out);
    window_writeincr(b, aie::sliding_mul<8, 3>(coeffs, 1, data, 2).to_vector<int32>(3));
  }
  printf("%d\n", (int)start);
}
