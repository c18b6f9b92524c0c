#include "soundness/numbers.h"

#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((b) >= (a) ? (b) : (a))
struct shape { int rows, columns; };
void sweep(int n, int m, int T, double *u_, double *v_)
{
    double (*u)[m] = (double (*)[m])u_; double (*v)[m] = (double (*)[m])v_;

    {
        /* s2s: loops (jj, i, k, j), unrolled and jammed 'i' by 4 and 'k' by
           4 */
        if (/* sizes for which this is right */
            m >= 1 && n >= 1
            /* 'u_' and 'v_' do not overlap */
            && ((const char *)(u + n) <= (const char *)v
                || (const char *)(v + (m >= n ? m : n)) <= (const char *)u)) {
            for (int jj = 0; jj < m; jj += 5) {
                for (long s2s_i_tile = 0; s2s_i_tile <= (long)(n - 1) / 4;
                     s2s_i_tile++) {
                    for (long s2s_k_tile = 0; s2s_k_tile <= (long)(m - 1) / 4;
                         s2s_k_tile++) {
                        if (4 * s2s_k_tile + 3 >= m) {
                            long s2s_i_end = n - 1;
                            if (s2s_i_end > 4 * s2s_i_tile + 3)
                                s2s_i_end = 4 * s2s_i_tile + 3;
                            for (long i = 4 * s2s_i_tile; i <= s2s_i_end; i++) {
                                for (long k = 4 * s2s_k_tile; k < m; k++) {
                                    long s2s_j_end = m - 1;
                                    if (s2s_j_end > (long)jj + 4)
                                        s2s_j_end = (long)jj + 4;
#pragma omp simd
                                    for (int j = jj; j <= s2s_j_end; j++) {
                                        u[i][j] += v[i][k] * v[k][j];
                                    }
                                }
                            }
                        } else if (4 * s2s_i_tile + 3 >= n) {
                            for (long i = 4 * s2s_i_tile; i < n; i++) {
                                for (long k = 4 * s2s_k_tile;
                                     k <= 4 * s2s_k_tile + 3; k++) {
                                    long s2s_j_end = m - 1;
                                    if (s2s_j_end > (long)jj + 4)
                                        s2s_j_end = (long)jj + 4;
#pragma omp simd
                                    for (int j = jj; j <= s2s_j_end; j++) {
                                        u[i][j] += v[i][k] * v[k][j];
                                    }
                                }
                            }
                        }
                        if (n >= 4 * s2s_i_tile + 4
                            && m >= 4 * s2s_k_tile + 4) {
                            long s2s_j_end = m - 1;
                            if (s2s_j_end > (long)jj + 4)
                                s2s_j_end = (long)jj + 4;
                            if (jj <= s2s_j_end) {
                                const double s2s_v_0 =
                                        v[4 * s2s_i_tile][4 * s2s_k_tile];
                                const double s2s_v_2 =
                                        v[4 * s2s_i_tile][4 * s2s_k_tile + 1];
                                const double s2s_v_4 =
                                        v[4 * s2s_i_tile][4 * s2s_k_tile + 2];
                                const double s2s_v_6 =
                                        v[4 * s2s_i_tile][4 * s2s_k_tile + 3];
                                const double s2s_v_8 =
                                        v[4 * s2s_i_tile + 1][4 * s2s_k_tile];
                                const double s2s_v_9 =
                                        v[4 * s2s_i_tile + 1][4 * s2s_k_tile + 1];
                                const double s2s_v_10 =
                                        v[4 * s2s_i_tile + 1][4 * s2s_k_tile + 2];
                                const double s2s_v_11 =
                                        v[4 * s2s_i_tile + 1][4 * s2s_k_tile + 3];
                                const double s2s_v_12 =
                                        v[4 * s2s_i_tile + 2][4 * s2s_k_tile];
                                const double s2s_v_13 =
                                        v[4 * s2s_i_tile + 2][4 * s2s_k_tile + 1];
                                const double s2s_v_14 =
                                        v[4 * s2s_i_tile + 2][4 * s2s_k_tile + 2];
                                const double s2s_v_15 =
                                        v[4 * s2s_i_tile + 2][4 * s2s_k_tile + 3];
                                const double s2s_v_16 =
                                        v[4 * s2s_i_tile + 3][4 * s2s_k_tile];
                                const double s2s_v_17 =
                                        v[4 * s2s_i_tile + 3][4 * s2s_k_tile + 1];
                                const double s2s_v_18 =
                                        v[4 * s2s_i_tile + 3][4 * s2s_k_tile + 2];
                                const double s2s_v_19 =
                                        v[4 * s2s_i_tile + 3][4 * s2s_k_tile + 3];
#pragma omp simd
                                for (int j = jj; j <= s2s_j_end; j++) {
                                    const double s2s_v_1 = v[4 * s2s_k_tile][j];
                                    double s2s_u_0 = u[4 * s2s_i_tile][j];
                                    double s2s_v_3, s2s_v_5, s2s_v_7, s2s_u_1,
                                           s2s_u_2, s2s_u_3;
                                    s2s_u_0 += s2s_v_0 * s2s_v_1;
                                    s2s_v_3 = v[4 * s2s_k_tile + 1][j];
                                    s2s_u_0 += s2s_v_2 * s2s_v_3;
                                    s2s_v_5 = v[4 * s2s_k_tile + 2][j];
                                    s2s_u_0 += s2s_v_4 * s2s_v_5;
                                    s2s_v_7 = v[4 * s2s_k_tile + 3][j];
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
    for (int jj = 0; jj <= m - 1; jj += 5)
        for (long i = 0; i < n; i++)
            for (int j = jj; j <= MIN(m - 1, jj + 4); j++)
                for (long k = 0; k < m; k++)
                    u[i][j] += v[i][k] * v[k][j];
        }
    }
}

#include "soundness/main.h"
