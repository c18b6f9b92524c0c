#include "aie_intrinsics.h"

/* Complex data, real and complex coefficients, with and without the pre-adder: a[40], w[16],
 * z[8], b[64]; the sums and their parts. */
void half_band(const cint16 *restrict a, const int16_t *restrict w, const cint16 *restrict z,
               cint16 *restrict b)
{
    const v16int16 real = *(const v16int16 *)w;
    const v8cint16 both = *(const v8cint16 *)z;
    for (int n = 0; n < 2; n++) chess_prepare_for_pipelining chess_loop_range(2, 2) {
        v32cint16 x = undef_v32cint16();
        for (int k = 0; k < 4; k++) chess_flatten_loop
            x = upd_w(x, k, *(const v8cint16 *)(a + 8 * n + 8 * k));
        const v16cint16 y = ext_x(x, 1);
        v4cacc48 s = mul4(x, 1, 0x3210, 1, real, 0, 0x0000, 1);
        s = mac4(s, x, 5, 0x6420, 2, real, 4, 0x0000, 1);
        *(v4cint16 *)(b + 32 * n) = srs(s, 12);
        s = mul4_sym(x, 0, 0x3210, 1, 15, real, 0, 0x0000, 1);
        s = mac4_sym(s, ext_x(x, 0), 4, 0x3210, 1, y, 11, real, 4, 0x0000, 1);
        *(v4cint16 *)(b + 32 * n + 4) = srs(s, 13);
        s = negmul4(x, 2, 0x3210, 1, both, 0, 0x0000, 1);
        s = msc4(s, x, 6, 0x0213, 3, both, 2, 0x1100, 1);
        *(v4cint16 *)(b + 32 * n + 8) = srs(s, 15);
        s = mul4_sym_ct(x, 6, 0x6420, 2, 22, 5, real, 8, 0x0000, 1);
        *(v4cint16 *)(b + 32 * n + 12) = srs(s, 14);
        v8cacc48 t = mul8(x, 3, 0x76543210, 1, real, 2, 0x00000000, 1);
        *(v8cint16 *)(b + 32 * n + 16) = srs(mac8(t, x, 8, 0x76543210, both, 5, 0x00000000), 11);
        v8cint16 last = ext_w(x, 3);
        cint16 turned = ext_elem(last, 2);
        turned.real = a[n].imag;
        last = shft_elem(last, turned);
        *(v8cint16 *)(b + 32 * n + 24) = last;
    }
}
