// pools: maximum over 2 x 2, stride 2 x 2, of 12 x 10 x 16
#include <math.h>
void unrolled(const float *x, float *y)
{
    for (int c = 0; c < 16; c++)
        for (int i = 0; i < 6; i++)
            for (int j = 0; j < 5; j++) {
                const float *p = x + (c * 12 + 2 * i) * 10 + 2 * j;
                y[(c * 6 + i) * 5 + j] = fmaxf(fmaxf(p[0], p[1]), fmaxf(p[10], p[11]));
            }
}
