/* A filter over a volume of one channel. */
#include "pixels.h"

void conv3d(int R, int S, int T, int width, int x, int y, int z,
            const pixel I[z + T - 1][y + S - 1][width], const pixel W[T][S][R], pixel O[z][y][x])
{
    for (int h = 0; h < z; h++)
        for (int j = 0; j < y; j++)
            for (int i = 0; i < x; i++) {
                int64_t sum = 0;
                for (int t = 0; t < T; t++)
                    for (int s = 0; s < S; s++)
                        for (int r = 0; r < R; r++)
                            sum += (int64_t)W[t][s][r] * I[h + t][j + s][i + r];
                O[h][j][i] = (pixel)(sum >> 10);
            }
}
