#include <stdint.h>

void strided(const int8_t in[96], const int8_t w[4][5], const int32_t b[4], int8_t out[4][32])
{
    for (int k = 0; k < 4; k++)
        for (int x = 0; x < 32; x++) {
            int32_t acc = b[k];
            for (int s = 0; s < 5; s++) {
                int ix = 3 * x + s - 2;
                if (ix >= 0 && ix < 96)
                    acc += in[ix] * w[k][s];
            }
            acc = (acc + 64) >> 7;
            out[k][x] = acc > 127 ? 127 : acc < -128 ? -128 : acc;
        }
}
