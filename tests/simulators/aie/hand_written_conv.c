/* 3 x 3 over rows of 64, one row of outputs: three pointers that move on, registers that wrap. */
#define OFFS 0x03020100, 0x07060504
void conv(const int16_t *restrict a, const int16_t *restrict w, int16_t *restrict b)
{
    const v16int16 *restrict p0 = (const v16int16 *)a;
    const v16int16 *restrict p1 = (const v16int16 *)(a + 64);
    const v16int16 *restrict p2 = (const v16int16 *)(a + 128);
    v16int16 *restrict out = (v16int16 *)b;
    v16int16 wvec = *(const v16int16 *)w;
    v32int16 r0 = xset_w(0, *p0++), r1 = xset_w(0, *p1++), r2 = xset_w(0, *p2++);
    for (int i = 0; i < 1; i++)
        chess_prepare_for_pipelining chess_loop_range(1, 1)
    {
        r0 = upd_w(r0, 1, *p0++); r1 = upd_w(r1, 1, *p1++); r2 = upd_w(r2, 1, *p2++);
        v16acc48 acc = mul16(r0, 0, OFFS, 0x2110, wvec, 0, 0, 0, 1);
        acc = mac16(acc, r0, 2, OFFS, 0x2110, wvec, 2, 0, 0, 1);
        acc = mac16(acc, r1, 0, OFFS, 0x2110, wvec, 4, 0, 0, 1);
        acc = mac16(acc, r1, 2, OFFS, 0x2110, wvec, 6, 0, 0, 1);
        acc = mac16(acc, r2, 0, OFFS, 0x2110, wvec, 8, 0, 0, 1);
        acc = mac16(acc, r2, 2, OFFS, 0x2110, wvec, 10, 0, 0, 1);
        *out++ = srs(acc, 10);
        r0 = upd_w(r0, 0, *p0++); r1 = upd_w(r1, 0, *p1++); r2 = upd_w(r2, 0, *p2++);
        acc = mul16(r0, 16, OFFS, 0x2110, wvec, 0, 0, 0, 1);
        acc = mac16(acc, r0, 18, OFFS, 0x2110, wvec, 2, 0, 0, 1);
        acc = mac16(acc, r1, 16, OFFS, 0x2110, wvec, 4, 0, 0, 1);
        acc = mac16(acc, r1, 18, OFFS, 0x2110, wvec, 6, 0, 0, 1);
        acc = mac16(acc, r2, 16, OFFS, 0x2110, wvec, 8, 0, 0, 1);
        acc = mac16(acc, r2, 18, OFFS, 0x2110, wvec, 10, 0, 0, 1);
        *out++ = srs(acc, 10);
    }
}
