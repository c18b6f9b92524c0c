void f(const int16_t *restrict a, const int16_t *restrict w, int16_t *restrict b, int n) {
    for (int i = 0; i < n; i++) chess_prepare_for_pipelining {
        v32int16 x = *(const v32int16 *)(a + 16 * i);
        v16int16 z = *(const v16int16 *)w;
        v16acc48 sum = mul16(x, 0, 0x03020100, 0x07060504, 0x2110, z, 0, 0, 0, 1);
        sum = mac16(sum, x, 2, 0x03020100, 0x07060504, 0x2110, z, 2, 0, 0, 1);
        *(v16int16 *)(b + 16 * i) = srs(sum, 4);
    }
} // a[1024] w[16] b[1024]
