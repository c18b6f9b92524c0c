#include "soundness/numbers.h"

#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((b) >= (a) ? (b) : (a))
struct shape { int rows, columns; };
void sweep(int n, int m, int T, double *u_, double *v_)
{
    double (*u)[m] = (double (*)[m])u_; double (*v)[m] = (double (*)[m])v_;

    {
        /* s2s: loops (ii, kk, i, k, j), unrolled and jammed 'i' by 4 and 'k' by
           4 */
        if (/* sizes for which this is right */
            n >= 1 && m >= 1
            /* 'u_' and 'v_' do not overlap */
            && ((const char *)(u + n) <= (const char *)v
                || (const char *)(v + (n >= (long)m + 1 ? n : m))
                   <= (const char *)u)) {
            for (int ii = 0; ii < n; ii += 8) {
                for (long s2s_kk_o = 0; s2s_kk_o < m; s2s_kk_o += 4) {
                    if (s2s_kk_o >= 0) {
                        long s2s_i_tile_end = (long)(n - 1) / 4;
                        if (s2s_i_tile_end > (long)ii / 4 + 1)
                            s2s_i_tile_end = (long)ii / 4 + 1;
                        for (long s2s_i_tile = (long)ii / 4;
                             s2s_i_tile <= s2s_i_tile_end; s2s_i_tile++) {
                            if (s2s_kk_o + 3 >= m) {
                                long s2s_i_end = n - 1;
                                if (s2s_i_end > 4 * s2s_i_tile + 3)
                                    s2s_i_end = 4 * s2s_i_tile + 3;
                                for (int i = (int)(4 * s2s_i_tile);
                                     i <= s2s_i_end; i++) {
                                    for (int k = (int)s2s_kk_o; k < m; k++) {
#pragma omp simd
                                        for (int j = 0; j < m; j++) {
                                            u[i][j] += v[i][k] * v[k][j];
                                        }
                                    }
                                }
                            } else if (4 * s2s_i_tile + 3 >= n) {
                                for (int i = (int)(4 * s2s_i_tile); i < n; i++) {
                                    for (int k = (int)s2s_kk_o; k <= s2s_kk_o + 3;
                                         k++) {
#pragma omp simd
                                        for (int j = 0; j < m; j++) {
                                            u[i][j] += v[i][k] * v[k][j];
                                        }
                                    }
                                }
                            }
                            if (m >= s2s_kk_o + 4 && n >= 4 * s2s_i_tile + 4) {
                                const double s2s_v_0 =
                                        v[4 * s2s_i_tile][s2s_kk_o];
                                const double s2s_v_2 =
                                        v[4 * s2s_i_tile][s2s_kk_o + 1];
                                const double s2s_v_4 =
                                        v[4 * s2s_i_tile][s2s_kk_o + 2];
                                const double s2s_v_6 =
                                        v[4 * s2s_i_tile][s2s_kk_o + 3];
                                const double s2s_v_8 =
                                        v[4 * s2s_i_tile + 1][s2s_kk_o];
                                const double s2s_v_9 =
                                        v[4 * s2s_i_tile + 1][s2s_kk_o + 1];
                                const double s2s_v_10 =
                                        v[4 * s2s_i_tile + 1][s2s_kk_o + 2];
                                const double s2s_v_11 =
                                        v[4 * s2s_i_tile + 1][s2s_kk_o + 3];
                                const double s2s_v_12 =
                                        v[4 * s2s_i_tile + 2][s2s_kk_o];
                                const double s2s_v_13 =
                                        v[4 * s2s_i_tile + 2][s2s_kk_o + 1];
                                const double s2s_v_14 =
                                        v[4 * s2s_i_tile + 2][s2s_kk_o + 2];
                                const double s2s_v_15 =
                                        v[4 * s2s_i_tile + 2][s2s_kk_o + 3];
                                const double s2s_v_16 =
                                        v[4 * s2s_i_tile + 3][s2s_kk_o];
                                const double s2s_v_17 =
                                        v[4 * s2s_i_tile + 3][s2s_kk_o + 1];
                                const double s2s_v_18 =
                                        v[4 * s2s_i_tile + 3][s2s_kk_o + 2];
                                const double s2s_v_19 =
                                        v[4 * s2s_i_tile + 3][s2s_kk_o + 3];
#pragma omp simd
                                for (int j = 0; j < m; j++) {
                                    const double s2s_v_1 = v[s2s_kk_o][j];
                                    double s2s_u_0 = u[4 * s2s_i_tile][j];
                                    double s2s_v_3, s2s_v_5, s2s_v_7, s2s_u_1,
                                           s2s_u_2, s2s_u_3;
                                    s2s_u_0 += s2s_v_0 * s2s_v_1;
                                    s2s_v_3 = v[s2s_kk_o + 1][j];
                                    s2s_u_0 += s2s_v_2 * s2s_v_3;
                                    s2s_v_5 = v[s2s_kk_o + 2][j];
                                    s2s_u_0 += s2s_v_4 * s2s_v_5;
                                    s2s_v_7 = v[s2s_kk_o + 3][j];
                                    s2s_u_0 += s2s_v_6 * s2s_v_7;
                                    u[4 * s2s_i_tile][j] = s2s_u_0;
                                    s2s_u_1 = u[4 * s2s_i_tile + 1][j];
                                    s2s_u_1 += s2s_v_8 * s2s_v_1;
                                    s2s_u_1 += s2s_v_9 * s2s_v_3;
                                    s2s_u_1 += s2s_v_10 * s2s_v_5;
                                    s2s_u_1 += s2s_v_11 * s2s_v_7;
                                    u[4 * s2s_i_tile + 1][j] = s2s_u_1;
                                    s2s_u_2 = u[4 * s2s_i_tile + 2][j];
                                    s2s_u_2 += s2s_v_12 * s2s_v_1;
                                    s2s_u_2 += s2s_v_13 * s2s_v_3;
                                    s2s_u_2 += s2s_v_14 * s2s_v_5;
                                    s2s_u_2 += s2s_v_15 * s2s_v_7;
                                    u[4 * s2s_i_tile + 2][j] = s2s_u_2;
                                    s2s_u_3 = u[4 * s2s_i_tile + 3][j];
                                    s2s_u_3 += s2s_v_16 * s2s_v_1;
                                    s2s_u_3 += s2s_v_17 * s2s_v_3;
                                    s2s_u_3 += s2s_v_18 * s2s_v_5;
                                    s2s_u_3 += s2s_v_19 * s2s_v_7;
                                    u[4 * s2s_i_tile + 3][j] = s2s_u_3;
                                }
                            }
                        }
                    }
                }
            }
        } else {
    for (int ii = 0; ii < n; ii += 8)
        for (int kk = 0; kk < m; kk += 4)
            for (int i = ii; i < MIN(ii + 8, n); i++)
                for (int j = 0; j < m; j++)
                    for (int k = kk; k < MIN(kk + 4, m); k++)
                        u[i][j] += v[i][k] * v[k][j];
        }
    }
}

#include "soundness/main.h"
