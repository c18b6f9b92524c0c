/* Declarations that are copied before a nest have comments, and so have values that it sets. */
#include "soundness/numbers.h"
void sweep(int n, int m, int T, double *u_, double *v_)
{
    double(*u)[m] = (double(*)[m])u_;
    double(*v)[m] = (double(*)[m])v_;
    {
        /* s2s: fused, skewed and tiled 16x8 */
        double (*s2s_w)[m] = (double(*)[m]) u_;
        if (/* sizes for which this is right */
            T >= 1 && n >= 1 && m >= 1
            /* 'u_' and 'v_' do not overlap */
            && ((const char *)(s2s_w + n) <= (const char *)v
                || (const char *)(v + n) <= (const char *)s2s_w)) {
            for (long s2s_t_tile = 0; s2s_t_tile <= (T - 1) / 16; s2s_t_tile++) {
                for (long s2s_i_tile = 4 * s2s_t_tile;
                     s2s_i_tile <= (16 * s2s_t_tile + 16 >= T ? 2L * T + n - 3
                                    : 32 * s2s_t_tile + n + 29) / 8;
                     s2s_i_tile++) {
                    long s2s_t_begin = 16 * s2s_t_tile;
                    long s2s_t_end = 16 * s2s_t_tile + 15;
                    if (s2s_t_begin < 4 * s2s_i_tile + (long)n / 2 - n + 1)
                        s2s_t_begin = 4 * s2s_i_tile + (long)n / 2 - n + 1;
                    if (s2s_t_end > 4 * s2s_i_tile + 3) s2s_t_end = 4 * s2s_i_tile + 3;
                    if (s2s_t_end > T - 1) s2s_t_end = T - 1;
                    for (int t = (int)s2s_t_begin; t <= s2s_t_end; t++) {
                        long s2s_i_begin = 8 * s2s_i_tile;
                        long s2s_i_end = 8 * s2s_i_tile + 7;
                        if (s2s_i_begin < 2L * t) s2s_i_begin = 2L * t;
                        if (s2s_i_end > n + 2L * t - 1) s2s_i_end = n + 2L * t - 1;
                        for (long s2s_i = s2s_i_begin; s2s_i <= s2s_i_end; s2s_i++) {
                            {
                                const int i = (int)(s2s_i - 2L * t);
                                for (int j = 0; j < m; j++) {
                                    s2s_w[i][j] = v[i][j];
                                }
                            }
                            if (s2s_i >= 2L * t + 2) {
                                const int i = (int)(s2s_i - 2L * t - 1);
                                for (int j = 1; j < m - 1; j++) {
                                    double half;
                                    half = 0.25 // a quarter
                                           * 2;
                                    v[i][j] = half // of
                                              * 0.5 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
                                }
                            }
                        }
                    }
                }
            }
        } else {
    for (int t = 0; t < T; t++) {
        for (int i = 0; i < n; i++) {
            double // the rows
                (*w)[m] = (double(*)[m]) // of all
                u_;
            for (int j = 0; j < m; j++) w[i][j] = v[i][j];
        }
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                double half;
                half = 0.25 // a quarter
                       * 2;
                v[i][j] = half // of
                          * 0.5 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
            }
    }
        }
    }
}
#include "soundness/main.h"
