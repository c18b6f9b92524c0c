#include "aie_intrinsics.h"

/* A symmetric filter of eight taps and one of sixteen that changes its sign, over 16 bits, and one
 * of four over 32: a[96], c[32], w[16], b[64], d[16]. */
void symmetric(const int16_t *restrict a, const int32_t *restrict c, const int16_t *restrict w,
               int16_t *restrict b, int32_t *restrict d)
{
    const v16int16 taps = *(const v16int16 *)w;
    for (int n = 0; n < 2; n++) chess_prepare_for_pipelining chess_loop_range(2, 2) {
        v64int16 x = undef_v64int16();
        for (int k = 0; k < 4; k++) chess_flatten_loop
            x = upd_w(x, k, *(const v16int16 *)(a + 16 * n + 16 * k));
        const v32int16 low = ext_x(x, 0), high = ext_x(x, 1);
        /* Sixteen results from element 0 on; a[n + k] and a[n + 7 - k] have the same tap. */
        v16acc48 s = mul16_sym(x, 0, 0x03020100, 0x07060504, 0x2110, 6, 0x1201, taps, 0, 0, 0, 1);
        s = mac16_sym(s, x, 2, 0x03020100, 0x07060504, 0x2110, 4, 0x1201, taps, 2, 0, 0, 1);
        *(v16int16 *)(b + 32 * n) = srs(s, 12);
        /* Eight from element 1 on, four taps at once, the mirrored ones from a register of their own. */
        v8acc48 t = mul8_antisym(low, 0, 0x03020100, 2, 0x3221, high, 30, 0x2312, taps, 0, 0, 1);
        t = mac8_antisym(t, x, 4, 0x03020100, 2, 0x3221, 12, 0x2312, taps, 4, 0, 1);
        t = msc8_sym(t, x, 8, 0x03020100, 2, 0x2110, 20, 0x1201, taps, 8, 0, 1);
        *(v8int16 *)(b + 32 * n + 16) = srs(t, 13);
        t = negmul8_sym(high, 6, 0x03020100, 2, 0x2110, low, 8, 0x2312, taps, 3, 0, 1);
        *(v8int16 *)(b + 32 * n + 24) = srs(t, 10);
        v32int32 wide = undef_v32int32();
        for (int k = 0; k < 3; k++) chess_flatten_loop
            wide = upd_w(wide, k, *(const v8int32 *)(c + 8 * n + 8 * k));
        *(v8int32 *)(d + 8 * n) = srs(lmul8_sym(wide, 1, 0x76543210, 1, 4, taps, 6, 0, 1), 9);
    }
}
