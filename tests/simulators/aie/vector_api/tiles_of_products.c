using MMUL = aie::mmul<4, 4, 4, int16, int16>;
void k(const int16 *__restrict a, const int16 *__restrict w, int16 *__restrict b) {
  for (int i = 0; i < 3; i++) {
    const int16 *p = a + MMUL::size_A * i;
    aie::vector<int16, MMUL::size_B> x = aie::load_v<MMUL::size_C>(p), z = aie::load_v<16>(w);
    MMUL c, d; c.mul(x, z);
    c.mac(z, x);
    aie::mmul<4, 8, 4, int8, int8> e;
    aie::vector<int8, 32> s = aie::load_v<32>((const int8 *)p);
    aie::vector<int8, 32> t = aie::load_v<32>((const int8 *)w);
    aie::vector<int16, 16> wide = unpack(s.extract<16>(0));
    t.insert(0, wide.pack<int8>());
    t.insert(1, ((aie::vector<int16, 16>) wide).extract<16>(0).pack<int8>());
    e.mul(s, t);
    e.mac(t, s);
    d.mul(x, e.template to_vector<int16>(3));
    aie::store_v(b + 32 * i, c.to_vector<int16>(9));
    aie::store_v(b + 32 * i + 16, d.to_vector<int16>(7));
  }
}
