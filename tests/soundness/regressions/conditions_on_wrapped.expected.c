/* A wrapped place is compared, and an element is used there. */
#include <stdio.h>

static void above(int w, int h, const float *restrict src, float *restrict dst)
{
    {
        /* s2s: parallel loop over 'y', split at the boundaries */
        if (h >= 1 && w >= 1) {
            if (h >= 6) {
                const int y = 0;
#pragma omp simd
                for (int x = 0; x < w; x++) {
                    {
                        int other = (h - 1);
                    }
                }
            } else {
                const int y = 0;
#pragma omp simd
                for (int x = 0; x < w; x++) {
                    {
                        int other = (h - 1);
                        { dst[y * w + x] = src[other * w + x] * 2; }
                    }
                }
            }
            {
                long s2s_y_end = 5;
                if (s2s_y_end > h - 1) s2s_y_end = h - 1;
#pragma omp parallel for
                for (int y = 1; y <= s2s_y_end; y++) {
#pragma omp simd
                    for (int x = 0; x < w; x++) {
                        {
                            int other = (y - 1);
                            { dst[y * w + x] = src[other * w + x] * 2; }
                        }
                    }
                }
            }
#pragma omp parallel for
            for (int y = 6; y < h; y++) {
#pragma omp simd
                for (int x = 0; x < w; x++) {
                    {
                        int other = (y - 1);
                    }
                }
            }
        } else {
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            int other = y == 0 ? h - 1 : y - 1;
            if (other < 5)
                dst[y * w + x] = src[other * w + x] * 2;
        }
        }
    }
}

static float a[400], b[400];

int main(void)
{
    for (int n = 0; n < 14; n += 3)
        for (int m = 1; m < 9; m += 2) {
            for (int i = 0; i < 400; i++) a[i] = i % 23, b[i] = -i;
            above(m, n, a, b);
            double s = 0;
            for (int i = 0; i < 400; i++) s = s * 0.97 + b[i] * (i % 5);
            printf("%d %d %.12g\n", n, m, s);
        }
    return 0;
}
