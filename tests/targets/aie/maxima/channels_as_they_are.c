// kernel: the largest of 2 x 2, 32 at once
#include <stdint.h>

void pool(const int16_t *in, int16_t *out)
{
    for (int y = 0; y < 4; y++)
        for (int x = 0; x < 5; x++)
            for (int c = 0; c < 32; c++) {
                const int16_t *p = in + (2 * y * 10 + 2 * x) * 32 + c;
                int16_t top = p[0] > p[32] ? p[0] : p[32];
                int16_t low = p[320] > p[352] ? p[320] : p[352];
                *out++ = top > low ? top : low;
            }
}
