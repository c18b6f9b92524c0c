// pools: maximum over 3 x 3, stride 1 x 2, padding 2 1 1 1, of 7 x 9 x 17, with the numbers of its points
#include <math.h>
#include <stdint.h>
void two_counters(const float x[1][17][7][9], float y[1][17][8][5], int64_t at[1][17][8][5])
{
    for (uint32_t b = 0; b < 1; b++)
        for (uint32_t m = 0, c = 0; m < 17; m++, c = m)
            for (int32_t o = 0, i = -2; o < 8; o++, i += 1)
                for (int32_t p = 0, j = -1; p < 5; p++, j += 2) {
                    float most = (float)-INFINITY;
                    int64_t where = -1;
                    for (uint32_t k = 0; k < 3; k++)
                        for (uint32_t l = 0; l < 3; l++) {
                            int u = i + k * 1, v = j + l * 1;
                            if (u < 0 || u >= 7)
                                continue;
                            if (v >= 0 && v < 9) {
                                if (most <= x[b][c][u][v]) {
                                    most = x[b][c][u][v];
                                    where = l + k * 3;
                                }
                            }
                        }
                    y[b][m][o][p] = most;
                    at[b][m][o][p] = where;
                }
}
