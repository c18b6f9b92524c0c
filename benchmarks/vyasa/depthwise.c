/* A layer in which each channel has a filter of its own. */
#include "pixels.h"

void depthwise(int R, int S, int width, int x, int y, int k,
               const pixel I[k][y + S - 1][width], const pixel W[k][S][R], pixel O[k][y][x])
{
    for (int f = 0; f < k; f++)
        for (int j = 0; j < y; j++)
            for (int i = 0; i < x; i++) {
                int64_t sum = 0;
                for (int s = 0; s < S; s++)
                    for (int r = 0; r < R; r++)
                        sum += (int64_t)W[f][s][r] * I[f][j + s][i + r];
                O[f][j][i] = (pixel)(sum >> 10);
            }
}
