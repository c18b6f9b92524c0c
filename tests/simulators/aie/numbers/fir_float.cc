#include "aie_intrinsics.h"

/* b[n] = sum over k of a[n + k] * w[k] by two sums, a[72], w[8], b[64] */
void fir_float(input_window_float *restrict a, const float *restrict w,
               output_window_float *restrict b)
{
    const v8float taps = *(const v8float *)w;
    v16float x = undef_v16float();
    x = upd_w(x, 0, window_readincr_v8(a));
    for (int n = 0; n < 8; n++) chess_prepare_for_pipelining chess_loop_range(8, 8) {
        x = upd_w(x, 1, window_readincr_v8(a));
        v8float even = fpmul(x, 0, 0x76543210, taps, 0, 0);
        v8float odd = fpmul(x, 1, 0x76543210, taps, 1, 0);
        for (int k = 2; k < 8; k += 2) chess_flatten_loop {
            even = fpmac(even, x, k, 0x76543210, taps, k, 0);
            odd = fpmac(odd, x, k + 1, 0x76543210, taps, k + 1, 0);
        }
        window_writeincr(b, fpadd(even, concat(odd, null_v8float()), 0, 0x76543210));
        x = upd_w(x, 0, ext_w(x, 1));
    }
}
