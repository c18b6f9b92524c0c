/* A filter over an image of one channel. */
#include "pixels.h"

void conv2d(int R, int S, int width, int x, int y, const pixel I[y + S - 1][width],
            const pixel W[S][R], pixel O[y][x])
{
    for (int j = 0; j < y; j++)
        for (int i = 0; i < x; i++) {
            int64_t sum = 0;
            for (int s = 0; s < S; s++)
                for (int r = 0; r < R; r++)
                    sum += (int64_t)W[s][r] * I[j + s][i + r];
            O[j][i] = (pixel)(sum >> 10);
        }
}
