#include "aie_intrinsics.h"

#include "aie_api/aie.hpp"

/* Floats as integers with a point, and back: a[32], w[32], b[128]. */
void points(const float *restrict a, const int32_t *restrict w, float *restrict b, int point)
{
    const float scale = fix2float(w[3], point + 20);
    b[0] = scale;
    b[1] = float2fix(a[1] * scale, 3) + float2fix(-2.5f) + float2fix(0.49999997f);
    b[2] = float2fix(a[2], 30) - float2fix(a[3], -1);
    for (int n = 0; n < 4; n++) {
        v8float x = *(const v8float *)(a + 8 * n);
        const v8int32 whole = float2fix(x, n + point);
        *(v8float *)(b + 16 + 8 * n) = fix2float(whole, 2);
        *(v8float *)(b + 48 + 8 * n) = aie::to_float(*(const v8int32 *)(w + 8 * n), 31);
        *(v4float *)(b + 80 + 4 * n) = fix2float(*(const v4int32 *)(w + 4 * n), -point);
        if (n == 3) *(v8float *)(b + 80) = fix2float(*(const v8int16 *)(w + 9 + n), point);
        *(v8float *)(b + 96 + 8 * n) = fix2float(aie::to_fixed<int32>(x, 1));
    }
}
