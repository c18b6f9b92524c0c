#include "aie_intrinsics.h"
/* a[32] w[16] b[16]; 32 multiplications */
void scale(const int16_t *restrict a, const int16_t *restrict w, int16_t *restrict b, int shift)
{
    v32int16 x = *(const v32int16 *)a;
    for (int i = 0; i < 1; i++)
        *(v16int16 *)b = srs(mul16(x, 0, 0x03020100, 0x07060504, 0x2110,
                                   *(const v16int16 *)w, 0, 0, 0, FAR), shift);
}
