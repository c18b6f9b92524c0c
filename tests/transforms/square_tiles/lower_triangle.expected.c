#include "soundness/numbers.h"
void sweep(int n, int m, int T, double *u_, double *v_)
{
    static double a[64][128], b[64][128];
    memcpy(a, u_, 8 * n * m); memcpy(b, v_, 8 * n * m);

{
    /* s2s: tiled 24x24 for rows and columns */
    if (T >= 2 && T <= 128) {
        for (long s2s_i_tile = 0; s2s_i_tile <= (T - 2) / 24; s2s_i_tile++) {
            for (long s2s_j_tile = 0;
                 s2s_j_tile <= (T >= 24 * s2s_i_tile + 26 ? 24 * s2s_i_tile + 23
                                : T - 2) / 24;
                 s2s_j_tile++) {
                long s2s_i_begin = 24 * s2s_i_tile + 1;
                long s2s_i_end = 24 * s2s_i_tile + 24;
                if (s2s_i_begin < 24 * s2s_j_tile + 1)
                    s2s_i_begin = 24 * s2s_j_tile + 1;
                if (s2s_i_end > T - 1) s2s_i_end = T - 1;
                for (int i = (int)s2s_i_begin; i <= s2s_i_end; i++) {
                    long s2s_j_end = 24 * s2s_j_tile + 23;
                    if (s2s_j_end > i - 1) s2s_j_end = i - 1;
                    for (int j = (int)(24 * s2s_j_tile); j <= s2s_j_end; j++) {
                        a[i][j] = a[j][i] + b[i][j];
                    }
                }
            }
        }
    } else {
for (int i = 0; i < T; i++) for (int j = 0; j < i; j++) a[i][j] = a[j][i] + b[i][j];
    }
}
    memcpy(u_, a, 8 * n * m); memcpy(v_, b, 8 * n * m);
}

#include "soundness/main.h"
