namespace filters { namespace inner {
using taps = aie::sliding_mul_ops<16, 4, 1, 1, 1, int16, int16>;
void k(adf::input_buffer<int16> &__restrict a, adf::input_buffer<int16> &w,
       adf::output_buffer<int16> &b) {
  auto pa = aie::begin_vector<16>(a);
  auto pb = aie::begin_vector<16>(b);
  aie::vector<int16, 32> x;
  const aie::vector<int16, 16> z = aie::load_v<16>(w.data());
  x.insert(0, *pa++);
  for (unsigned i = 0; i < 4; i++) {
    x.insert(1, *pa++);
    aie::accum<acc48, 16> sums = taps::mul(z, 2, x, 3);
    sums = taps::mac(sums, z, 8, x, 6);
    sums = aie::sliding_mul_sym_ops<16, 8, 1, 1, 1, int16, int16>::mac_sym(sums, z, 3, x, 2);
    sums = aie::sliding_mac_sym<16, 4>(sums, z, 11, x, 9);
    *pb++ = sums.to_vector<int16>(4);
    aie::accum<acc48, 8> few = aie::sliding_mul<8, 4>(z, 0, x, 5);
    aie::vector<int16, 16> w2 = aie::zeros<int16, 16>();
    w2.insert(1, few.to_vector<int16>(2));
    *pb++ = w2;
  }
}
} }
