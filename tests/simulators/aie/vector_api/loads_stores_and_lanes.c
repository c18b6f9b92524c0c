constexpr unsigned LANES = 8;
void k(const int32_t *__restrict a, const int32_t *__restrict w, int32_t *__restrict b) {
  aie::vector<int32_t, LANES> step = aie::broadcast<int32_t, LANES>(w[3]);
  for (int i = 0; i < 8; i++) {
    aie::vector<int32, LANES> x = aie::load_v<LANES>(a + 8 * i), y = aie::load_v<8>(w);
    aie::vector<int32, 2 * LANES> both = aie::concat(aie::max(x, y), aie::min(x, 7));
    x = aie::sub(aie::add(both.extract<8>(0), both.extract<8>(1)), step);
    aie::store_v(b + 8 * i, x);
  }
}
