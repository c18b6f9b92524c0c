#include <stdint.h>
#include <stdio.h>

#define SIZE 70
static double a[SIZE][SIZE], b[SIZE][SIZE], c[SIZE][SIZE];

static void multiply(int n, double (*x)[SIZE], double (*y)[SIZE])
{
    {
        /* s2s: loops (i, k, j), unrolled and jammed 'i' by 4 and 'k' by 4 */
        if (/* sizes for which this is right */
            n >= 1 && n <= 32767
            /* 'b' and 'y' do not overlap */
            && ((const char *)(b + 70) <= (const char *)y
                || (const char *)(y + n) <= (const char *)b)
            /* 'x' and 'y' do not overlap */
            && ((const char *)(x + n) <= (const char *)y
                || (const char *)(y + n) <= (const char *)x)) {
            for (long s2s_i_tile = 0; s2s_i_tile <= (long)(n - 1) / 4;
                 s2s_i_tile++) {
                for (long s2s_k_tile = 0; s2s_k_tile <= 17; s2s_k_tile++) {
                    if (4 * s2s_i_tile + 3 >= n) {
                        for (short i = (short)(4 * s2s_i_tile); i < n; i++) {
                            long s2s_k_end = 69;
                            if (s2s_k_end > 4 * s2s_k_tile + 3)
                                s2s_k_end = 4 * s2s_k_tile + 3;
                            for (unsigned short k = (unsigned short)(
                                                        4 * s2s_k_tile);
                                 k <= s2s_k_end; k++) {
#pragma omp simd
                                for (unsigned char j = 0; j <= 69; j++) {
                                    y[i][j] += x[i][k] * b[k][j] + i;
                                }
                            }
                        }
                    } else if (s2s_k_tile == 17) {
                        for (short i = (short)(4 * s2s_i_tile);
                             i <= 4 * s2s_i_tile + 3; i++) {
                            for (unsigned short k = 68; k <= 69; k++) {
#pragma omp simd
                                for (unsigned char j = 0; j <= 69; j++) {
                                    y[i][j] += x[i][k] * b[k][j] + i;
                                }
                            }
                        }
                    }
                    if (n >= 4 * s2s_i_tile + 4 && s2s_k_tile <= 16) {
                        const double s2s_x_0 =
                                x[4 * s2s_i_tile][4 * s2s_k_tile];
                        const double s2s_x_1 =
                                x[4 * s2s_i_tile][4 * s2s_k_tile + 1];
                        const double s2s_x_2 =
                                x[4 * s2s_i_tile][4 * s2s_k_tile + 2];
                        const double s2s_x_3 =
                                x[4 * s2s_i_tile][4 * s2s_k_tile + 3];
                        const double s2s_x_4 =
                                x[4 * s2s_i_tile + 1][4 * s2s_k_tile];
                        const double s2s_x_5 =
                                x[4 * s2s_i_tile + 1][4 * s2s_k_tile + 1];
                        const double s2s_x_6 =
                                x[4 * s2s_i_tile + 1][4 * s2s_k_tile + 2];
                        const double s2s_x_7 =
                                x[4 * s2s_i_tile + 1][4 * s2s_k_tile + 3];
                        const double s2s_x_8 =
                                x[4 * s2s_i_tile + 2][4 * s2s_k_tile];
                        const double s2s_x_9 =
                                x[4 * s2s_i_tile + 2][4 * s2s_k_tile + 1];
                        const double s2s_x_10 =
                                x[4 * s2s_i_tile + 2][4 * s2s_k_tile + 2];
                        const double s2s_x_11 =
                                x[4 * s2s_i_tile + 2][4 * s2s_k_tile + 3];
                        const double s2s_x_12 =
                                x[4 * s2s_i_tile + 3][4 * s2s_k_tile];
                        const double s2s_x_13 =
                                x[4 * s2s_i_tile + 3][4 * s2s_k_tile + 1];
                        const double s2s_x_14 =
                                x[4 * s2s_i_tile + 3][4 * s2s_k_tile + 2];
                        const double s2s_x_15 =
                                x[4 * s2s_i_tile + 3][4 * s2s_k_tile + 3];
#pragma omp simd
                        for (unsigned char j = 0; j <= 69; j++) {
                            const double s2s_b_0 = b[4 * s2s_k_tile][(long)j];
                            double s2s_y_0 = y[4 * s2s_i_tile][(long)j];
                            double s2s_b_1, s2s_b_2, s2s_b_3, s2s_y_1, s2s_y_2,
                                   s2s_y_3;
                            {
                                const short i = (short)(4 * s2s_i_tile);
                                s2s_y_0 += s2s_x_0 * s2s_b_0 + i;
                            }
                            s2s_b_1 = b[4 * s2s_k_tile + 1][(long)j];
                            {
                                const short i = (short)(4 * s2s_i_tile);
                                s2s_y_0 += s2s_x_1 * s2s_b_1 + i;
                            }
                            s2s_b_2 = b[4 * s2s_k_tile + 2][(long)j];
                            {
                                const short i = (short)(4 * s2s_i_tile);
                                s2s_y_0 += s2s_x_2 * s2s_b_2 + i;
                            }
                            s2s_b_3 = b[4 * s2s_k_tile + 3][(long)j];
                            {
                                const short i = (short)(4 * s2s_i_tile);
                                s2s_y_0 += s2s_x_3 * s2s_b_3 + i;
                            }
                            y[4 * s2s_i_tile][(long)j] = s2s_y_0;
                            s2s_y_1 = y[4 * s2s_i_tile + 1][(long)j];
                            {
                                const short i = (short)(4 * s2s_i_tile + 1);
                                s2s_y_1 += s2s_x_4 * s2s_b_0 + i;
                            }
                            {
                                const short i = (short)(4 * s2s_i_tile + 1);
                                s2s_y_1 += s2s_x_5 * s2s_b_1 + i;
                            }
                            {
                                const short i = (short)(4 * s2s_i_tile + 1);
                                s2s_y_1 += s2s_x_6 * s2s_b_2 + i;
                            }
                            {
                                const short i = (short)(4 * s2s_i_tile + 1);
                                s2s_y_1 += s2s_x_7 * s2s_b_3 + i;
                            }
                            y[4 * s2s_i_tile + 1][(long)j] = s2s_y_1;
                            s2s_y_2 = y[4 * s2s_i_tile + 2][(long)j];
                            {
                                const short i = (short)(4 * s2s_i_tile + 2);
                                s2s_y_2 += s2s_x_8 * s2s_b_0 + i;
                            }
                            {
                                const short i = (short)(4 * s2s_i_tile + 2);
                                s2s_y_2 += s2s_x_9 * s2s_b_1 + i;
                            }
                            {
                                const short i = (short)(4 * s2s_i_tile + 2);
                                s2s_y_2 += s2s_x_10 * s2s_b_2 + i;
                            }
                            {
                                const short i = (short)(4 * s2s_i_tile + 2);
                                s2s_y_2 += s2s_x_11 * s2s_b_3 + i;
                            }
                            y[4 * s2s_i_tile + 2][(long)j] = s2s_y_2;
                            s2s_y_3 = y[4 * s2s_i_tile + 3][(long)j];
                            {
                                const short i = (short)(4 * s2s_i_tile + 3);
                                s2s_y_3 += s2s_x_12 * s2s_b_0 + i;
                            }
                            {
                                const short i = (short)(4 * s2s_i_tile + 3);
                                s2s_y_3 += s2s_x_13 * s2s_b_1 + i;
                            }
                            {
                                const short i = (short)(4 * s2s_i_tile + 3);
                                s2s_y_3 += s2s_x_14 * s2s_b_2 + i;
                            }
                            {
                                const short i = (short)(4 * s2s_i_tile + 3);
                                s2s_y_3 += s2s_x_15 * s2s_b_3 + i;
                            }
                            y[4 * s2s_i_tile + 3][(long)j] = s2s_y_3;
                        }
                    }
                }
            }
        } else {
    for (short i = 0; i < n; i++)
        for (uint8_t j = 0; j < SIZE; j++)
            for (unsigned short k = 0; k < SIZE; k += 1)
                y[i][j] += x[i][k] * b[k][j] + i;
        }
    }
}

static void downwards(int n)
{
    signed char i;
    short j;
    {
        /* s2s: permuted loops to (j, i), simd inside */
        if (n >= 2 && n <= 32768) {
            if (n > 1) {
                const short s2s_j_first = (short)(n - 1);
                for (short j = s2s_j_first; j > 0; j--) {
#pragma omp simd
                    for (signed char i = 67; i > 0; i -= 3) {
                        b[j][i] = b[j][i] * 0.5 + a[j][i - 1] + i * j;
                    }
                }
            }
        } else {
    for (i = 67; i >= 1; i -= 3)
        for (j = n - 1; j > 0; j--)
            b[j][i] = b[j][i] * 0.5 + a[j][i - 1] + i * j;
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
    multiply(SIZE - 1, a, c);
    downwards(SIZE);
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++)
            sum = sum * 0.999 + b[i][j] + c[i][j];
    printf("%.17g\n", sum);
    return 0;
}
