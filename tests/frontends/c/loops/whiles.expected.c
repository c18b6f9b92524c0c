#include <stdio.h>

#define SIZE 70
static double a[SIZE][SIZE], b[SIZE][SIZE], c[SIZE][SIZE];

static void multiply(int n)
{
    {
        /* s2s: loops (i, k, j), unrolled and jammed 'i' by 4 and 'k' by 4 */
        if (n >= 1 && n <= 70) {
            for (long s2s_i_tile = 0; s2s_i_tile <= (long)(n - 1) / 4; s2s_i_tile++) {
                for (long s2s_k_tile = 0; s2s_k_tile <= (long)(n - 1) / 4;
                     s2s_k_tile++) {
                    if (4 * s2s_k_tile + 3 >= n) {
                        long s2s_i_end = n - 1;
                        if (s2s_i_end > 4 * s2s_i_tile + 3)
                            s2s_i_end = 4 * s2s_i_tile + 3;
                        for (int i = (int)(4 * s2s_i_tile); i <= s2s_i_end; i++) {
                            for (int k = (int)(4 * s2s_k_tile); k < n; k++) {
#pragma omp simd
                                for (int j = 0; j < n; j++) {
                                    c[i][j] += a[i][k] * b[k][j];
                                }
                            }
                        }
                    } else if (4 * s2s_i_tile + 3 >= n) {
                        for (int i = (int)(4 * s2s_i_tile); i < n; i++) {
                            for (int k = (int)(4 * s2s_k_tile);
                                 k <= 4 * s2s_k_tile + 3; k++) {
#pragma omp simd
                                for (int j = 0; j < n; j++) {
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
                        const double s2s_a_10 =
                                a[4 * s2s_i_tile + 2][4 * s2s_k_tile + 2];
                        const double s2s_a_11 =
                                a[4 * s2s_i_tile + 2][4 * s2s_k_tile + 3];
                        const double s2s_a_12 = a[4 * s2s_i_tile + 3][4 * s2s_k_tile];
                        const double s2s_a_13 =
                                a[4 * s2s_i_tile + 3][4 * s2s_k_tile + 1];
                        const double s2s_a_14 =
                                a[4 * s2s_i_tile + 3][4 * s2s_k_tile + 2];
                        const double s2s_a_15 =
                                a[4 * s2s_i_tile + 3][4 * s2s_k_tile + 3];
#pragma omp simd
                        for (int j = 0; j < n; j++) {
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
    int i = 0;
    while (i < n) {
        int j = 0;
        while (n > j) {
            int k;
            k = 0;
            while (k < n) {
                c[i][j] += a[i][k] * b[k][j];
                k++;
            }
            j = 1 + j;
        }
        i += 1;
    }
        }
    }
}

__attribute__((noinline)) static void smooth(int n, int steps)
{
    int t, i, j;
    {
        /* s2s: fused, skewed and tiled 16x8 */
        if (steps >= 1 && n >= 3 && n <= 70) {
            for (long s2s_t_tile = 0; s2s_t_tile <= (steps - 1) / 16; s2s_t_tile++) {
                for (long s2s_i_tile = 4 * s2s_t_tile;
                     s2s_i_tile <= (16 * s2s_t_tile + 16 >= steps
                                    ? 2L * steps + n - 4 : 32 * s2s_t_tile + n + 28)
                                   / 8;
                     s2s_i_tile++) {
                    long s2s_t_begin = 16 * s2s_t_tile;
                    long s2s_t_end = 16 * s2s_t_tile + 15;
                    if (s2s_t_begin < 4 * s2s_i_tile + ((long)n + 1) / 2 - n + 1)
                        s2s_t_begin = 4 * s2s_i_tile + ((long)n + 1) / 2 - n + 1;
                    if (s2s_t_end > 4 * s2s_i_tile + 3) s2s_t_end = 4 * s2s_i_tile + 3;
                    if (s2s_t_end > steps - 1) s2s_t_end = steps - 1;
                    for (int t = (int)s2s_t_begin; t <= s2s_t_end; t++) {
                        long s2s_i_begin = 8 * s2s_i_tile + 1;
                        long s2s_i_end = 8 * s2s_i_tile + 8;
                        if (s2s_i_begin < 2L * t + 1) s2s_i_begin = 2L * t + 1;
                        if (s2s_i_end > n + 2L * t - 1) s2s_i_end = n + 2L * t - 1;
                        for (long s2s_i = s2s_i_begin; s2s_i <= s2s_i_end; s2s_i++) {
                            if (n + 2L * t >= s2s_i + 2) {
                                const int i = (int)(s2s_i - 2L * t);
                                for (int j = 1; j < n - 1; j++) {
                                    b[i][j] = 0.25
                                              * (a[i - 1][j] + a[i + 1][j]
                                                 + a[i][j - 1] + a[i][j + 1]);
                                }
                            }
                            if (s2s_i >= 2L * t + 2) {
                                const int i = (int)(s2s_i - 2L * t - 1);
                                for (long s2s_o1 = 2L - n; s2s_o1 < 0; s2s_o1++) {
                                    const int j = (int)(-s2s_o1);
                                    a[i][j] = b[i][j] + c[i][j];
                                }
                            }
                        }
                    }
                }
            }
        } else {
    for (t = 0; t < steps; t++) {
        i = 1;
        while (i < n - 1) {
            for (j = 1; j < n - 1; j++)
                b[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
            ++i;
        }
        for (i = 1; i < n - 1; i++) {
            j = n - 2;
            while (j > 0) {
                a[i][j] = b[i][j] + c[i][j];
                j--;
            }
        }
    }
        }
    }
}

int main(void)
{
    double sum = 0.0;
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++) {
            a[i][j] = (i * 7 + j * 3) % 11;
            b[i][j] = (i + j * 5) % 13;
        }
    multiply(SIZE - 1);
    smooth(SIZE, 6);
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++)
            sum = sum * 0.999 + a[i][j] + b[i][j] + c[i][j];
    printf("%.17g\n", sum);
    return 0;
}
