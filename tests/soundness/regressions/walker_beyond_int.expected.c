/* What goes beyond 'int' in few iterations is counted in its own type. */
#include <stdio.h>

static long times[120][130];

static void stamp(int h, int w, long begin)
{
    long k = begin;
    {
        /* s2s: parallel loop over 'y' */
        if (h >= 1 && w >= 1 && w <= 130) {
#pragma omp parallel for
            for (int y = 0; y < h; y++) {
                for (int x = 0; x < w; x++) {
                    times[y][x] = (k + 200000L * ((long)y * w + x));
                }
            }
        } else {
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            times[y][x] = k;
            k += 200000;
        }
        }
    }
}

static void count(int h, int w)
{
    {
        /* s2s: parallel loop over 'y' */
        if (h >= 1 && w >= 3 && w <= 130) {
#pragma omp parallel for
            for (int y = 0; y < h; y++) {
                for (int x = 2; x < w; x++) {
                    times[y][x] -=
                            (long)((unsigned long)(3 + 30000000L * (x - 2)));
                }
            }
        } else {
    for (int y = 0; y < h; y++) {
        size_t k = 3;
        for (int x = 2; x < w; x++, k += 30000000)
            times[y][x] -= (long)k;
    }
        }
    }
}

/* Where it began at a number, its products are of its own type, too. */
static void scale(int h, int w)
{
    {
        /* s2s: parallel loop over 'y' */
        if (h >= 1 && w >= 1 && w <= 130) {
#pragma omp parallel for
            for (int y = 0; y < h; y++) {
                for (int x = 0; x < w; x++) {
                    times[y][x] += ((long)(x)) * 20000000
                                   + (((unsigned long)(x)) - 1 > 100);
                }
            }
        } else {
    for (int y = 0; y < h; y++) {
        long k = 0;
        size_t u = 0;
        for (int x = 0; x < w; x++, k++, u++)
            times[y][x] += k * 20000000 + (u - 1 > 100);
    }
        }
    }
}

int main(void)
{
    stamp(120, 130, 7);
    count(120, 130);
    scale(120, 130);
    printf("%ld %ld %ld\n", times[0][1], times[1][129], times[1][0]);
    return 0;
}
