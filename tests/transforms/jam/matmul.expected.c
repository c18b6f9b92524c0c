void f(int n, int m, double (*restrict a)[70], double (*restrict b)[70], double (*restrict c)[70], double *restrict x, double *restrict y, double *restrict z)
{
    {
        /* s2s: loops (i, k, j), unrolled and jammed 'i' by 4 and 'k' by 4 */
        if (n >= 1 && n <= 70 && m >= 1 && m <= 70) {
            for (long s2s_i_tile = 0; s2s_i_tile <= (long)(n - 1) / 4; s2s_i_tile++) {
                {
                    long s2s_i_end = n - 1;
                    if (s2s_i_end > 4 * s2s_i_tile + 3) s2s_i_end = 4 * s2s_i_tile + 3;
                    for (int i = (int)(4 * s2s_i_tile); i <= s2s_i_end; i++) {
                        for (int j = 0; j < m; j++) {
                            c[i][j] = 0.5;
                        }
                    }
                }
                for (long s2s_k_tile = 0; s2s_k_tile <= (long)(n - 1) / 4; s2s_k_tile++) {
                    if (4 * s2s_k_tile + 3 >= n) {
                        long s2s_i_end = n - 1;
                        if (s2s_i_end > 4 * s2s_i_tile + 3) s2s_i_end = 4 * s2s_i_tile + 3;
                        for (int i = (int)(4 * s2s_i_tile); i <= s2s_i_end; i++) {
                            for (int k = (int)(4 * s2s_k_tile); k < n; k++) {
#pragma omp simd
                                for (int j = 0; j < m; j++) {
                                    c[i][j] += a[i][k] * b[k][j];
                                }
                            }
                        }
                    } else if (4 * s2s_i_tile + 3 >= n) {
                        for (int i = (int)(4 * s2s_i_tile); i < n; i++) {
                            for (int k = (int)(4 * s2s_k_tile); k <= 4 * s2s_k_tile + 3; k++) {
#pragma omp simd
                                for (int j = 0; j < m; j++) {
                                    c[i][j] += a[i][k] * b[k][j];
                                }
                            }
                        }
                    }
                    if (n >= 4 * s2s_i_tile + 4 && n >= 4 * s2s_k_tile + 4) {
                        const double s2s_a_0 = a[4 * s2s_i_tile][4 * s2s_k_tile];
                        const double s2s_a_1 = a[4 * s2s_i_tile][4 * s2s_k_tile + 1];
                        const double s2s_a_2 = a[4 * s2s_i_tile][4 * s2s_k_tile + 2];
                        const double s2s_a_3 = a[4 * s2s_i_tile][4 * s2s_k_tile + 3];
                        const double s2s_a_4 = a[4 * s2s_i_tile + 1][4 * s2s_k_tile];
                        const double s2s_a_5 = a[4 * s2s_i_tile + 1][4 * s2s_k_tile + 1];
                        const double s2s_a_6 = a[4 * s2s_i_tile + 1][4 * s2s_k_tile + 2];
                        const double s2s_a_7 = a[4 * s2s_i_tile + 1][4 * s2s_k_tile + 3];
                        const double s2s_a_8 = a[4 * s2s_i_tile + 2][4 * s2s_k_tile];
                        const double s2s_a_9 = a[4 * s2s_i_tile + 2][4 * s2s_k_tile + 1];
                        const double s2s_a_10 = a[4 * s2s_i_tile + 2][4 * s2s_k_tile + 2];
                        const double s2s_a_11 = a[4 * s2s_i_tile + 2][4 * s2s_k_tile + 3];
                        const double s2s_a_12 = a[4 * s2s_i_tile + 3][4 * s2s_k_tile];
                        const double s2s_a_13 = a[4 * s2s_i_tile + 3][4 * s2s_k_tile + 1];
                        const double s2s_a_14 = a[4 * s2s_i_tile + 3][4 * s2s_k_tile + 2];
                        const double s2s_a_15 = a[4 * s2s_i_tile + 3][4 * s2s_k_tile + 3];
#pragma omp simd
                        for (int j = 0; j < m; j++) {
                            const double s2s_b_0 = b[4 * s2s_k_tile][j];
                            double s2s_c_0 = c[4 * s2s_i_tile][j];
                            double s2s_b_1, s2s_b_2, s2s_b_3, s2s_c_1, s2s_c_2, s2s_c_3;
                            s2s_c_0 += s2s_a_0 * s2s_b_0;
                            s2s_b_1 = b[4 * s2s_k_tile + 1][j];
                            s2s_c_0 += s2s_a_1 * s2s_b_1;
                            s2s_b_2 = b[4 * s2s_k_tile + 2][j];
                            s2s_c_0 += s2s_a_2 * s2s_b_2;
                            s2s_b_3 = b[4 * s2s_k_tile + 3][j];
                            s2s_c_0 += s2s_a_3 * s2s_b_3;
                            c[4 * s2s_i_tile][j] = s2s_c_0;
                            s2s_c_1 = c[4 * s2s_i_tile + 1][j];
                            s2s_c_1 += s2s_a_4 * s2s_b_0;
                            s2s_c_1 += s2s_a_5 * s2s_b_1;
                            s2s_c_1 += s2s_a_6 * s2s_b_2;
                            s2s_c_1 += s2s_a_7 * s2s_b_3;
                            c[4 * s2s_i_tile + 1][j] = s2s_c_1;
                            s2s_c_2 = c[4 * s2s_i_tile + 2][j];
                            s2s_c_2 += s2s_a_8 * s2s_b_0;
                            s2s_c_2 += s2s_a_9 * s2s_b_1;
                            s2s_c_2 += s2s_a_10 * s2s_b_2;
                            s2s_c_2 += s2s_a_11 * s2s_b_3;
                            c[4 * s2s_i_tile + 2][j] = s2s_c_2;
                            s2s_c_3 = c[4 * s2s_i_tile + 3][j];
                            s2s_c_3 += s2s_a_12 * s2s_b_0;
                            s2s_c_3 += s2s_a_13 * s2s_b_1;
                            s2s_c_3 += s2s_a_14 * s2s_b_2;
                            s2s_c_3 += s2s_a_15 * s2s_b_3;
                            c[4 * s2s_i_tile + 3][j] = s2s_c_3;
                        }
                    }
                }
            }
        } else {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            c[i][j] = 0.5;
            for (int k = 0; k < n; k++)
                c[i][j] += a[i][k] * b[k][j];
        }
        }
    }
}

#include "main.h"
