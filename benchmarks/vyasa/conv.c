/* A layer of a network: channels of the input, filters of the output. */
#include "pixels.h"

void conv(int R, int S, int C, int width, int x, int y, int k,
          const pixel I[C][y + S - 1][width], const pixel W[k][C][S][R], pixel O[k][y][x])
{
    for (int f = 0; f < k; f++)
        for (int j = 0; j < y; j++)
            for (int i = 0; i < x; i++) {
                int64_t sum = 0;
                for (int c = 0; c < C; c++)
                    for (int s = 0; s < S; s++)
                        for (int r = 0; r < R; r++)
                            sum += (int64_t)W[f][c][s][r] * I[c][j + s][i + r];
                O[f][j][i] = (pixel)(sum >> 10);
            }
}
