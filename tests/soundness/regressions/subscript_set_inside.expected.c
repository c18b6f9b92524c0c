#include <stdio.h>
void delayed(int w, int h, const long *restrict from, long *restrict to)
{
    {
        /* s2s: permuted loops to (y, k, x), simd inside */
        if (h >= 1 && w >= 1) {
            for (int y = 0; y < h; y++) {
                for (int x = 0; x < w; x++) {
                    to[y * w + x] = 0;
                }
                for (int k = 0; k < h; k++) {
#pragma GCC ivdep
                    for (int x = 0; x < w; x++) {
                        int row = k < 3 ? 0 : k - 3;
                        to[y * w + x] += from[row * w + x];
                    }
                }
            }
        } else {
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            long s = 0;
            for (int k = 0; k < h; k++) {
                int row = k < 3 ? 0 : k - 3;
                s += from[row * w + x];
            }
            to[y * w + x] = s;
        }
        }
    }
}
void kept(int w, int h, const long *restrict from, long *restrict to)
{
    int row;
    {
        /* s2s: permuted loops to (y, k, x), simd inside */
        if (h >= 1 && w >= 1) {
            for (int y = 0; y < h; y++) {
                for (int x = 0; x < w; x++) {
                    to[y * w + x] = 0;
                }
                for (int k = 0; k < h; k++) {
#pragma GCC ivdep
                    for (int x = 0; x < w; x++) {
                        int row;
                        row = k < 3 ? 0 : k - 3;
                        to[y * w + x] += from[row * w + x];
                    }
                }
            }
        } else {
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            long s = 0;
            for (int k = 0; k < h; k++) {
                row = k < 3 ? 0 : k - 3;
                s += from[row * w + x];
            }
            to[y * w + x] = s;
        }
        }
    }
}
int main(void)
{
    static long from[60 * 60], to[60 * 60];
    for (int i = 0; i < 60 * 60; i++)
        from[i] = i * 7 % 31;
    for (int h = 0; h < 60; h += 19)
        for (int w = 0; w < 60; w += 11) {
            delayed(w, h, from, to);
            for (int i = 0; i < w * h; i++)
                printf("%ld\n", to[i]);
            kept(w, h, from, to);
            for (int i = 0; i < w * h; i++)
                printf("%ld\n", to[i]);
        }
    return 0;
}
