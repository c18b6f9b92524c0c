/* An 'int' that walks from far below 0 comes farther than an 'int' counts. */
#include <stdio.h>

static int times[120][130];
static float places[3 * 120 * 130 + 1];

static void stamp(int h, int w, int begin)
{
    int k = begin;
    {
        /* s2s: parallel loop over 'y' */
        if (h >= 1 && w >= 1 && w <= 130) {
#pragma omp parallel for
            for (int y = 0; y < h; y++) {
                for (int x = 0; x < w; x++) {
                    times[y][x] = ((int)(k + 250000L * ((long)y * w + x)));
                }
            }
        } else {
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            times[y][x] = k;
            k += 250000;
        }
        }
    }
}

static void count_down(int h, int w)
{
    int k = 2000000000;
    {
        /* s2s: parallel loop over 'y' */
        if (h >= 1 && w >= 1 && w <= 130) {
#pragma omp parallel for
            for (int y = 0; y < h; y++) {
                for (int x = 0; x < w; x++) {
                    times[y][x] ^= ((int)(2000000000 + -250000L * ((long)y * w + x)));
                }
            }
        } else {
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            times[y][x] ^= k;
            k -= 250000;
        }
        }
    }
}

/* A subscript needs no conversion back. */
static void spread(int h, int w, int begin, float *restrict to)
{
    int k = begin;
    {
        /* s2s: parallel loop over 'y' */
        if (h >= 1 && w >= 1 && k >= 3L * w + 1 && 3L * w + 3 >= k) {
#pragma omp parallel for
            for (int y = 0; y < h; y++) {
                for (int x = 0; x < w; x++) {
                    to[(k + 3L * ((long)y * w + x)) - 1] = (float)y;
                }
            }
        } else {
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            to[k - 1] = (float)y;
            k += 3;
        }
        }
    }
}

int main(void)
{
    unsigned long sum = 0;
    stamp(120, 130, -2000000000);
    count_down(120, 130);
    spread(120, 130, 2, places);
    for (int y = 0; y < 120; y++)
        for (int x = 0; x < 130; x++)
            sum = sum * 31 + (unsigned long)times[y][x] + (unsigned long)places[3 * (y * 130 + x) + 1];
    printf("%lu\n", sum);
    return 0;
}
