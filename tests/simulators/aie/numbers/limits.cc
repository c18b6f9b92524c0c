#include "aie_intrinsics.h"

/* Lanes of floats, scalars beside them: a[64], b[48]. */
float norm(float x, float scale)
{
    if (x < 0.25f)
        return -x * scale;
    return x / 3.0f + sqrtf(x) - 1;
}

void limits(const float *restrict a, float *restrict b, float scale)
{
    float total = 0;
    for (int n = 0; n < 4; n++) {
        const v16float x = *(const v16float *)(a + 16 * n);
        const unsigned above = fpge(ext_w(x, 0), x, 8, 0x01234567);
        const v16float chosen = fpselect16(above, x, 0, 0x76543210, 0xfedcba98, x, 4, 0x11111111, 0);
        v8float y = fpmax(fpmin(ext_w(chosen, 0), x, 3, 0x22446600), null_v8float());
        y = fpmsc(fpabs(y), x, 2, 0x76543210, ext_w(x, 1), 1, 0x33333333);
        y = fpsub(y, fpneg(x, 7, 0x76543210));
        y = upd_elem(y, 5, ext_elem(y, n));
        *(v8float *)(b + 8 * n) = fpshuffle(y, 0, 0x10325476);
        total += norm(a[n], scale) * (double)a[n + 1];
        b[32 + n] = total;
        b[36 + n] = (int)(a[n] * 100) + (n & 1 ? a[2] : 1.5);
    }
    b[40] = fabsf(total) > 0.1 ? fmaxf(total, 2) : 7;
}
