void f(int n, int m, double (*restrict a)[70], double (*restrict b)[70], double (*restrict c)[70], double *restrict x, double *restrict y, double *restrict z)
{
    {
        /* s2s: loops (i, k, j), unrolled and jammed 'i' by 4 and 'k' by 4 */
        if (n >= 2 && n <= 70) {
            for (long s2s_i_tile = 0; s2s_i_tile <= (long)(n - 1) / 4; s2s_i_tile++) {
                long s2s_k_tile_end = s2s_i_tile;
                if (s2s_k_tile_end > ((long)n + 2) / 4 - 1) s2s_k_tile_end = ((long)n + 2) / 4 - 1;
                for (long s2s_k_tile = 0; s2s_k_tile <= s2s_k_tile_end; s2s_k_tile++) {
                    {
                        long s2s_i_begin = 4 * s2s_i_tile;
                        long s2s_i_end = n - 1;
                        if (s2s_i_begin < 4 * s2s_k_tile + 1) s2s_i_begin = 4 * s2s_k_tile + 1;
                        if (s2s_i_end > 4 * s2s_i_tile + 3) s2s_i_end = 4 * s2s_i_tile + 3;
                        for (int i = (int)s2s_i_begin; i <= s2s_i_end; i++) {
                            long s2s_k_r_end = 4 * s2s_k_tile + 3;
                            if (s2s_k_r_end > i - 1) s2s_k_r_end = i - 1;
                            for (long s2s_k_r = 4 * s2s_k_tile; s2s_k_r <= s2s_k_r_end; s2s_k_r++) {
                                {
                                    const int j = (int)s2s_k_r;
                                    a[i][j] /= a[j][j];
                                }
                                if (i >= s2s_k_r + 2) {
                                    {
                                        const int k = (int)s2s_k_r;
                                        long s2s_j_end = 4 * s2s_k_tile + 3;
                                        if (s2s_j_end > i - 1) s2s_j_end = i - 1;
#pragma omp simd
                                        for (int j = (int)(s2s_k_r + 1); j <= s2s_j_end; j++) {
                                            a[i][j] -= a[i][k] * a[k][j];
                                        }
                                    }
                                    if (4 * s2s_i_tile + 3 >= n) {
                                        const int k = (int)s2s_k_r;
#pragma omp simd
                                        for (int j = (int)(4 * s2s_k_tile + 4);
                                             j < 4 * s2s_i_tile; j++) {
                                            a[i][j] -= a[i][k] * a[k][j];
                                        }
                                    }
                                    {
                                        const int k = (int)s2s_k_r;
                                        long s2s_j_begin = 4 * s2s_i_tile;
                                        if (s2s_j_begin < 4 * s2s_k_tile + 4)
                                            s2s_j_begin = 4 * s2s_k_tile + 4;
#pragma omp simd
                                        for (int j = (int)s2s_j_begin; j < i; j++) {
                                            a[i][j] -= a[i][k] * a[k][j];
                                        }
                                    }
                                }
                                if (4 * s2s_i_tile >= s2s_k_r + 1) {
                                    const int k = (int)s2s_k_r;
                                    long s2s_j_end = n - 1;
                                    if (s2s_j_end > 4 * s2s_i_tile + 2)
                                        s2s_j_end = 4 * s2s_i_tile + 2;
#pragma omp simd
                                    for (int j = i; j <= s2s_j_end; j++) {
                                        a[i][j] -= a[i][k] * a[k][j];
                                    }
                                } else {
                                    const int k = (int)s2s_k_r;
#pragma omp simd
                                    for (int j = i; j < n; j++) {
                                        a[i][j] -= a[i][k] * a[k][j];
                                    }
                                }
                            }
                        }
                    }
                    if (n >= 4 * s2s_i_tile + 4 && s2s_i_tile >= s2s_k_tile + 1) {
                        if (4 * s2s_k_tile + 4 < 4 * s2s_i_tile) {
                            const double s2s_a_0 = a[4 * s2s_i_tile][4 * s2s_k_tile];
                            const double s2s_a_3 = a[4 * s2s_i_tile][4 * s2s_k_tile + 1];
                            const double s2s_a_5 = a[4 * s2s_i_tile][4 * s2s_k_tile + 2];
                            const double s2s_a_7 = a[4 * s2s_i_tile][4 * s2s_k_tile + 3];
                            const double s2s_a_9 = a[4 * s2s_i_tile + 1][4 * s2s_k_tile];
                            const double s2s_a_11 = a[4 * s2s_i_tile + 1][4 * s2s_k_tile + 1];
                            const double s2s_a_12 = a[4 * s2s_i_tile + 1][4 * s2s_k_tile + 2];
                            const double s2s_a_13 = a[4 * s2s_i_tile + 1][4 * s2s_k_tile + 3];
                            const double s2s_a_14 = a[4 * s2s_i_tile + 2][4 * s2s_k_tile];
                            const double s2s_a_16 = a[4 * s2s_i_tile + 2][4 * s2s_k_tile + 1];
                            const double s2s_a_17 = a[4 * s2s_i_tile + 2][4 * s2s_k_tile + 2];
                            const double s2s_a_18 = a[4 * s2s_i_tile + 2][4 * s2s_k_tile + 3];
                            const double s2s_a_19 = a[4 * s2s_i_tile + 3][4 * s2s_k_tile];
                            const double s2s_a_21 = a[4 * s2s_i_tile + 3][4 * s2s_k_tile + 1];
                            const double s2s_a_22 = a[4 * s2s_i_tile + 3][4 * s2s_k_tile + 2];
                            const double s2s_a_23 = a[4 * s2s_i_tile + 3][4 * s2s_k_tile + 3];
#pragma omp simd
                            for (int j = (int)(4 * s2s_k_tile + 4); j < 4 * s2s_i_tile; j++) {
                                const double s2s_a_1 = a[4 * s2s_k_tile][j];
                                double s2s_a_2 = a[4 * s2s_i_tile][j];
                                double s2s_a_4, s2s_a_6, s2s_a_8, s2s_a_10, s2s_a_15, s2s_a_20;
                                s2s_a_2 -= s2s_a_0 * s2s_a_1;
                                s2s_a_4 = a[4 * s2s_k_tile + 1][j];
                                s2s_a_2 -= s2s_a_3 * s2s_a_4;
                                s2s_a_6 = a[4 * s2s_k_tile + 2][j];
                                s2s_a_2 -= s2s_a_5 * s2s_a_6;
                                s2s_a_8 = a[4 * s2s_k_tile + 3][j];
                                s2s_a_2 -= s2s_a_7 * s2s_a_8;
                                a[4 * s2s_i_tile][j] = s2s_a_2;
                                s2s_a_10 = a[4 * s2s_i_tile + 1][j];
                                s2s_a_10 -= s2s_a_9 * s2s_a_1;
                                s2s_a_10 -= s2s_a_11 * s2s_a_4;
                                s2s_a_10 -= s2s_a_12 * s2s_a_6;
                                s2s_a_10 -= s2s_a_13 * s2s_a_8;
                                a[4 * s2s_i_tile + 1][j] = s2s_a_10;
                                s2s_a_15 = a[4 * s2s_i_tile + 2][j];
                                s2s_a_15 -= s2s_a_14 * s2s_a_1;
                                s2s_a_15 -= s2s_a_16 * s2s_a_4;
                                s2s_a_15 -= s2s_a_17 * s2s_a_6;
                                s2s_a_15 -= s2s_a_18 * s2s_a_8;
                                a[4 * s2s_i_tile + 2][j] = s2s_a_15;
                                s2s_a_20 = a[4 * s2s_i_tile + 3][j];
                                s2s_a_20 -= s2s_a_19 * s2s_a_1;
                                s2s_a_20 -= s2s_a_21 * s2s_a_4;
                                s2s_a_20 -= s2s_a_22 * s2s_a_6;
                                s2s_a_20 -= s2s_a_23 * s2s_a_8;
                                a[4 * s2s_i_tile + 3][j] = s2s_a_20;
                            }
                        }
                        if (4 * s2s_i_tile + 3 < n) {
                            const double s2s_a_0 = a[4 * s2s_i_tile][4 * s2s_k_tile];
                            const double s2s_a_3 = a[4 * s2s_i_tile][4 * s2s_k_tile + 1];
                            const double s2s_a_5 = a[4 * s2s_i_tile][4 * s2s_k_tile + 2];
                            const double s2s_a_7 = a[4 * s2s_i_tile][4 * s2s_k_tile + 3];
                            const double s2s_a_9 = a[4 * s2s_i_tile + 1][4 * s2s_k_tile];
                            const double s2s_a_11 = a[4 * s2s_i_tile + 1][4 * s2s_k_tile + 1];
                            const double s2s_a_12 = a[4 * s2s_i_tile + 1][4 * s2s_k_tile + 2];
                            const double s2s_a_13 = a[4 * s2s_i_tile + 1][4 * s2s_k_tile + 3];
                            const double s2s_a_14 = a[4 * s2s_i_tile + 2][4 * s2s_k_tile];
                            const double s2s_a_16 = a[4 * s2s_i_tile + 2][4 * s2s_k_tile + 1];
                            const double s2s_a_17 = a[4 * s2s_i_tile + 2][4 * s2s_k_tile + 2];
                            const double s2s_a_18 = a[4 * s2s_i_tile + 2][4 * s2s_k_tile + 3];
                            const double s2s_a_19 = a[4 * s2s_i_tile + 3][4 * s2s_k_tile];
                            const double s2s_a_21 = a[4 * s2s_i_tile + 3][4 * s2s_k_tile + 1];
                            const double s2s_a_22 = a[4 * s2s_i_tile + 3][4 * s2s_k_tile + 2];
                            const double s2s_a_23 = a[4 * s2s_i_tile + 3][4 * s2s_k_tile + 3];
#pragma omp simd
                            for (int j = (int)(4 * s2s_i_tile + 3); j < n; j++) {
                                const double s2s_a_1 = a[4 * s2s_k_tile][j];
                                double s2s_a_2 = a[4 * s2s_i_tile][j];
                                double s2s_a_4, s2s_a_6, s2s_a_8, s2s_a_10, s2s_a_15, s2s_a_20;
                                s2s_a_2 -= s2s_a_0 * s2s_a_1;
                                s2s_a_4 = a[4 * s2s_k_tile + 1][j];
                                s2s_a_2 -= s2s_a_3 * s2s_a_4;
                                s2s_a_6 = a[4 * s2s_k_tile + 2][j];
                                s2s_a_2 -= s2s_a_5 * s2s_a_6;
                                s2s_a_8 = a[4 * s2s_k_tile + 3][j];
                                s2s_a_2 -= s2s_a_7 * s2s_a_8;
                                a[4 * s2s_i_tile][j] = s2s_a_2;
                                s2s_a_10 = a[4 * s2s_i_tile + 1][j];
                                s2s_a_10 -= s2s_a_9 * s2s_a_1;
                                s2s_a_10 -= s2s_a_11 * s2s_a_4;
                                s2s_a_10 -= s2s_a_12 * s2s_a_6;
                                s2s_a_10 -= s2s_a_13 * s2s_a_8;
                                a[4 * s2s_i_tile + 1][j] = s2s_a_10;
                                s2s_a_15 = a[4 * s2s_i_tile + 2][j];
                                s2s_a_15 -= s2s_a_14 * s2s_a_1;
                                s2s_a_15 -= s2s_a_16 * s2s_a_4;
                                s2s_a_15 -= s2s_a_17 * s2s_a_6;
                                s2s_a_15 -= s2s_a_18 * s2s_a_8;
                                a[4 * s2s_i_tile + 2][j] = s2s_a_15;
                                s2s_a_20 = a[4 * s2s_i_tile + 3][j];
                                s2s_a_20 -= s2s_a_19 * s2s_a_1;
                                s2s_a_20 -= s2s_a_21 * s2s_a_4;
                                s2s_a_20 -= s2s_a_22 * s2s_a_6;
                                s2s_a_20 -= s2s_a_23 * s2s_a_8;
                                a[4 * s2s_i_tile + 3][j] = s2s_a_20;
                            }
                        }
                    }
                }
            }
        } else {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            for (int k = 0; k < j; k++)
                a[i][j] -= a[i][k] * a[k][j];
            a[i][j] /= a[j][j];
        }
        for (int j = i; j < n; j++)
            for (int k = 0; k < i; k++)
                a[i][j] -= a[i][k] * a[k][j];
    }
        }
    }
}

#include "main.h"
