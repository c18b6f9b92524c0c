#include "soundness/numbers.h"
void sweep(int n, int m, int T, double *u_, double *v_)
{
    static double a[64][128], b[64][128];
    memcpy(a, u_, 8 * n * m); memcpy(b, v_, 8 * n * m);

{
    /* s2s: tiled 24x24 for rows and columns */
    if (/* sizes for which this is right */
        T >= 2 && T <= 129 && T >= (long)n + 1 && n >= 0
        && ((long)n + 1) % 3 + 128 >= T) {
        for (long s2s_i_tile = 0; s2s_i_tile <= (T - 2) / 24; s2s_i_tile++) {
            for (long s2s_j_tile = 0;
                 s2s_j_tile <= (T - ((long)T - n - 1) % 3 - n - 1) / 24;
                 s2s_j_tile++) {
                long s2s_i_end = -1;
                if (s2s_i_end > 24 * s2s_i_tile - T + 24)
                    s2s_i_end = 24 * s2s_i_tile - T + 24;
                if (24 * s2s_i_tile - T + 1 <= s2s_i_end) {
                    const int s2s_i_first = (int)(-(24 * s2s_i_tile - T + 1)),
                              s2s_i_last = (int)(-s2s_i_end);
                    for (int i = s2s_i_first; i >= s2s_i_last; i--) {
                        long s2s_j_end = T - 1;
                        if (s2s_j_end > 24 * s2s_j_tile + n + 23)
                            s2s_j_end = 24 * s2s_j_tile + n + 23;
                        for (int j = (int)(24 * s2s_j_tile + n); j <= s2s_j_end;
                             j += 3) {
                            b[i][j] -= a[j][i - 1];
                        }
                    }
                }
            }
        }
    } else {
for (int i = T - 1; i > 0; i--) for (int j = n; j < T; j += 3) b[i][j] -= a[j][i - 1];
    }
}
    memcpy(u_, a, 8 * n * m); memcpy(v_, b, 8 * n * m);
}

#include "soundness/main.h"
