// s2s: --force --parallel --passes=doall -- -O2 -fopenmp
// run
/* A wrapped place is compared, and an element is used there. */
#include <stdio.h>

static void above(int w, int h, const float *restrict src, float *restrict dst)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            int other = y == 0 ? h - 1 : y - 1;
            if (other < 5)
                dst[y * w + x] = src[other * w + x] * 2;
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
