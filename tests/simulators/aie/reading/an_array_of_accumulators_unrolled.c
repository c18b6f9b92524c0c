// an array of accumulators, unrolled
void f(const int16_t *restrict a, const int16_t *restrict w, int16_t *restrict b) {
  v16acc48 sums[2][2];
  v16int16 z = *(v16int16 *)w;
  for (int k = 0; k < 2; k++)
    for (int j = 0; j < 2; j++) {
      v32int16 x = *(v32int16 *)(a + 16 * k + 32 * j);
      sums[k][j] = mul16(x, 0, 0x03020100, 0x07060504, 0x2110, z, 2, 0, 0, 1);
      for (int i = 1; i < 4; ++i) chess_unroll_loop(*)
        sums[k][j] = mac16(sums[k][j], x, 2 * i, 0x03020100, 0x07060504, 0x3221, z, 4, 0, 0, 1);
    }
  for (int k = 0; k < 4; k++) *(v16int16 *)(b + 16 * k) = srs(sums[k / 2][k & 1], 9);
}
