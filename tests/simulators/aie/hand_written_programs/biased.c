// Sums of 48 bits that start with 32-bit values, and leave as such.
void biased(const int16_t *restrict a, const int32_t *restrict w, int32_t *restrict b)
{
    alignas(32) static const int16_t taps[16] = {3, -1, 4, 1, -5, 9, 2, -6, 5, 3, 5, -8};
    const v16int16 z = *(const v16int16 *)taps;
    for (int i = 0; i < 32; i += 16) {
        v32int16 x = *(const v32int16 *)(a + i);
        v16int32 start = *(const v16int32 *)(w + i);
        v16acc48 acc = undef_v16acc48();
        acc = upd_lo(acc, ups(ext_w(start, 0), 8));
        acc = upd_hi(acc, ups(ext_w(start, 1), 8));
        for (int k = 0; k < 8; k += 2) chess_unroll_loop(*)
            acc = mac16(acc, x, k, 0x03020100, 0x07060504, 0x2110, z, k, 0, 0, 1);
        *(v8int32 *)(b + i) = lsrs(ext_lo(acc), 4);
        *(v8int32 *)(b + i + 8) = lsrs(ext_hi(acc), 4);
    }
}
