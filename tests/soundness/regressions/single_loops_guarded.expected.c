#include <stdio.h>
#define MOST 300
static short p[MOST], r[MOST], g[MOST];
static short a[48][48], b[48][48], c[48][48];
static double u[MOST], v[MOST], w[MOST];
static void dead(int n, short *p, short *r, short *g)
{
    int i;
    {
        /* s2s: reordered the statements */
        if (/* sizes for which this is right, and gains */
            n >= 16
            /* 'g' and 'p' do not overlap */
            && ((const char *)(g + (long)n + 2) <= (const char *)(p + 1)
                || (const char *)(p + (long)n + 3) <= (const char *)g)
            /* 'g' and 'r' do not overlap */
            && ((const char *)(g + (long)n + 2) <= (const char *)(r + 1)
                || (const char *)(r + (long)n + 3) <= (const char *)g)
            /* 'p' and 'r' do not overlap */
            && ((const char *)(p + (long)n + 3) <= (const char *)(r + 1)
                || (const char *)(r + (long)n + 3) <= (const char *)(p + 1))) {
            for (int i = 0; i < n - 2; i++) {
                p[i + 1] = g[i];
                r[i + 1] = g[i + 2];
            }
            for (int i = n - 2; i < n; i++) {
                p[i + 1] = g[i];
                r[i + 3] = r[i + 3] + g[i];
                r[i + 1] = g[i + 2];
                p[i + 3] *= p[i + 1];
            }
        } else {
    for (i = 0; i < n; i++) {
        p[i + 1] = g[i]; r[i + 3] = r[i + 3] + g[i]; r[i + 1] = g[i + 2]; p[i + 3] *= p[i + 1];
    }
        }
    }
}
static void product(int n)
{
    {
        /* s2s: loops (i, j, k), unrolled and jammed 'i' by 4 and 'j' by 4 */
        if (n >= 12 && n <= 48) {
            for (long s2s_i_tile = 0; s2s_i_tile <= (long)(n - 1) / 4; s2s_i_tile++) {
                {
                    long s2s_i_begin = 1;
                    long s2s_i_end = n - 1;
                    if (s2s_i_begin < 4 * s2s_i_tile) s2s_i_begin = 4 * s2s_i_tile;
                    if (s2s_i_end > 4 * s2s_i_tile + 3) s2s_i_end = 4 * s2s_i_tile + 3;
                    for (int i = (int)s2s_i_begin; i <= s2s_i_end; i++) {
                        for (int j = 1; j < n; j++) {
                            b[i][j] *= 3;
                        }
                    }
                }
                for (long s2s_j_tile = 0; s2s_j_tile <= (long)(n - 1) / 4; s2s_j_tile++) {
                    if (4 * s2s_j_tile + 3 >= n) {
                        long s2s_i_begin = 4;
                        long s2s_i_end = n - 1;
                        if (s2s_i_begin < 4 * s2s_i_tile) s2s_i_begin = 4 * s2s_i_tile;
                        if (s2s_i_end > 4 * s2s_i_tile + 3) s2s_i_end = 4 * s2s_i_tile + 3;
                        for (int i = (int)s2s_i_begin; i <= s2s_i_end; i++) {
                            for (int j = (int)(4 * s2s_j_tile); j < n; j++) {
                                for (int k = 0; k < n; k++) {
                                    b[i][j] -= c[i][k] * a[j][k];
                                }
                            }
                        }
                    } else if (4 * s2s_i_tile + 3 >= n) {
                        for (int i = (int)(4 * s2s_i_tile); i < n; i++) {
                            long s2s_j_begin = 1;
                            if (s2s_j_begin < 4 * s2s_j_tile) s2s_j_begin = 4 * s2s_j_tile;
                            for (int j = (int)s2s_j_begin; j <= 4 * s2s_j_tile + 3; j++) {
                                for (int k = 0; k < n; k++) {
                                    b[i][j] -= c[i][k] * a[j][k];
                                }
                            }
                        }
                    }
                    if (s2s_i_tile == 0) {
                        for (int i = 1; i <= 3; i++) {
                            long s2s_j_begin = 1;
                            long s2s_j_end = n - 1;
                            if (s2s_j_begin < 4 * s2s_j_tile) s2s_j_begin = 4 * s2s_j_tile;
                            if (s2s_j_end > 4 * s2s_j_tile + 3) s2s_j_end = 4 * s2s_j_tile + 3;
                            for (int j = (int)s2s_j_begin; j <= s2s_j_end; j++) {
                                for (int k = 0; k < n; k++) {
                                    b[i][j] -= c[i][k] * a[j][k];
                                }
                            }
                        }
                    }
                    if (n >= 4 * s2s_i_tile + 4 && s2s_j_tile == 0) {
                        long s2s_i_begin = 4;
                        if (s2s_i_begin < 4 * s2s_i_tile) s2s_i_begin = 4 * s2s_i_tile;
                        for (int i = (int)s2s_i_begin; i <= 4 * s2s_i_tile + 3; i++) {
                            for (int j = 1; j <= 3; j++) {
                                for (int k = 0; k < n; k++) {
                                    b[i][j] -= c[i][k] * a[j][k];
                                }
                            }
                        }
                    }
                    if (s2s_i_tile >= 1 && n >= 4 * s2s_i_tile + 4 && s2s_j_tile >= 1
                        && n >= 4 * s2s_j_tile + 4) {
                        short s2s_b_0 = b[4 * s2s_i_tile][4 * s2s_j_tile];
                        short s2s_b_1 = b[4 * s2s_i_tile][4 * s2s_j_tile + 1];
                        short s2s_b_2 = b[4 * s2s_i_tile][4 * s2s_j_tile + 2];
                        short s2s_b_3 = b[4 * s2s_i_tile][4 * s2s_j_tile + 3];
                        short s2s_b_4 = b[4 * s2s_i_tile + 1][4 * s2s_j_tile];
                        short s2s_b_5 = b[4 * s2s_i_tile + 1][4 * s2s_j_tile + 1];
                        short s2s_b_6 = b[4 * s2s_i_tile + 1][4 * s2s_j_tile + 2];
                        short s2s_b_7 = b[4 * s2s_i_tile + 1][4 * s2s_j_tile + 3];
                        short s2s_b_8 = b[4 * s2s_i_tile + 2][4 * s2s_j_tile];
                        short s2s_b_9 = b[4 * s2s_i_tile + 2][4 * s2s_j_tile + 1];
                        short s2s_b_10 = b[4 * s2s_i_tile + 2][4 * s2s_j_tile + 2];
                        short s2s_b_11 = b[4 * s2s_i_tile + 2][4 * s2s_j_tile + 3];
                        short s2s_b_12 = b[4 * s2s_i_tile + 3][4 * s2s_j_tile];
                        short s2s_b_13 = b[4 * s2s_i_tile + 3][4 * s2s_j_tile + 1];
                        short s2s_b_14 = b[4 * s2s_i_tile + 3][4 * s2s_j_tile + 2];
                        short s2s_b_15 = b[4 * s2s_i_tile + 3][4 * s2s_j_tile + 3];
                        for (int k = 0; k < n; k++) {
                            const short s2s_c_0 = c[4 * s2s_i_tile][k];
                            const short s2s_a_0 = a[4 * s2s_j_tile][k];
                            short s2s_a_1, s2s_a_2, s2s_a_3, s2s_c_1, s2s_c_2, s2s_c_3;
                            s2s_b_0 -= s2s_c_0 * s2s_a_0;
                            s2s_a_1 = a[4 * s2s_j_tile + 1][k];
                            s2s_b_1 -= s2s_c_0 * s2s_a_1;
                            s2s_a_2 = a[4 * s2s_j_tile + 2][k];
                            s2s_b_2 -= s2s_c_0 * s2s_a_2;
                            s2s_a_3 = a[4 * s2s_j_tile + 3][k];
                            s2s_b_3 -= s2s_c_0 * s2s_a_3;
                            s2s_c_1 = c[4 * s2s_i_tile + 1][k];
                            s2s_b_4 -= s2s_c_1 * s2s_a_0;
                            s2s_b_5 -= s2s_c_1 * s2s_a_1;
                            s2s_b_6 -= s2s_c_1 * s2s_a_2;
                            s2s_b_7 -= s2s_c_1 * s2s_a_3;
                            s2s_c_2 = c[4 * s2s_i_tile + 2][k];
                            s2s_b_8 -= s2s_c_2 * s2s_a_0;
                            s2s_b_9 -= s2s_c_2 * s2s_a_1;
                            s2s_b_10 -= s2s_c_2 * s2s_a_2;
                            s2s_b_11 -= s2s_c_2 * s2s_a_3;
                            s2s_c_3 = c[4 * s2s_i_tile + 3][k];
                            s2s_b_12 -= s2s_c_3 * s2s_a_0;
                            s2s_b_13 -= s2s_c_3 * s2s_a_1;
                            s2s_b_14 -= s2s_c_3 * s2s_a_2;
                            s2s_b_15 -= s2s_c_3 * s2s_a_3;
                        }
                        b[4 * s2s_i_tile][4 * s2s_j_tile] = s2s_b_0;
                        b[4 * s2s_i_tile][4 * s2s_j_tile + 1] = s2s_b_1;
                        b[4 * s2s_i_tile][4 * s2s_j_tile + 2] = s2s_b_2;
                        b[4 * s2s_i_tile][4 * s2s_j_tile + 3] = s2s_b_3;
                        b[4 * s2s_i_tile + 1][4 * s2s_j_tile] = s2s_b_4;
                        b[4 * s2s_i_tile + 1][4 * s2s_j_tile + 1] = s2s_b_5;
                        b[4 * s2s_i_tile + 1][4 * s2s_j_tile + 2] = s2s_b_6;
                        b[4 * s2s_i_tile + 1][4 * s2s_j_tile + 3] = s2s_b_7;
                        b[4 * s2s_i_tile + 2][4 * s2s_j_tile] = s2s_b_8;
                        b[4 * s2s_i_tile + 2][4 * s2s_j_tile + 1] = s2s_b_9;
                        b[4 * s2s_i_tile + 2][4 * s2s_j_tile + 2] = s2s_b_10;
                        b[4 * s2s_i_tile + 2][4 * s2s_j_tile + 3] = s2s_b_11;
                        b[4 * s2s_i_tile + 3][4 * s2s_j_tile] = s2s_b_12;
                        b[4 * s2s_i_tile + 3][4 * s2s_j_tile + 1] = s2s_b_13;
                        b[4 * s2s_i_tile + 3][4 * s2s_j_tile + 2] = s2s_b_14;
                        b[4 * s2s_i_tile + 3][4 * s2s_j_tile + 3] = s2s_b_15;
                    }
                }
            }
        } else {
    for (int i = 1; i < n; i += 1)
        for (int j = 1; j < n; j++) {
            b[i][j] *= 3;
            for (int k = 0; k < n; k += 1) b[i][j] -= c[i][k] * a[j][k];
        }
        }
    }
}
static double spliced(int n)
{
    double x = 3;
    {
        /* s2s: 'x' computed again from the iteration before */
        int i = 0;
        if ((i < n) && (unsigned long)(n) - (unsigned long)i > 15) {
            for (int s2s_n = 0; s2s_n < 1 && (i < n); s2s_n++, i ++)
                { u[i] = (v[i] + x) * 2; x = -v[i]; }
            for (; i < n; i ++) {
                const double s2s_x = -v[i - 1];
                u[i] = (v[i] + s2s_x) * 2;
                x = -v[i];
            }
        } else {
            for (; i < n; i ++)
                { u[i] = (v[i] + x) * 2; x = -v[i]; }
        }
    }
    {
        /* s2s: 'x' computed again from the iteration before */
        int i = 0;
        if ((i < n) && (unsigned long)(n) - (unsigned long)i > 15) {
            for (int s2s_n = 0; s2s_n < 1 && (i < n); s2s_n++, i ++)
                { w[i] = (v[i] + x) * 2; x = -v[i]; }
            for (; i < n; i ++) {
                const double s2s_x = -v[i - 1];
                w[i] = (v[i] + s2s_x) * 2;
                x = -v[i];
            }
        } else {
            for (; i < n; i ++)
                { w[i] = (v[i] + x) * 2; x = -v[i]; }
        }
    }
    {
        /* s2s: 'x' computed again from the iteration before */
        int i = '/' - "/* */"[0];
        if ((i < n) && (unsigned long)(n) - (unsigned long)i > 15) {
            for (int s2s_n = 0; s2s_n < 1 && (i < n); s2s_n++, i++)
                { u[i] += (v[i] + x) * 2; x = -v[i]; }
            for (; i < n; i++) {
                const double s2s_x = -v[i - 1];
                u[i] += (v[i] + s2s_x) * 2;
                x = -v[i];
            }
        } else {
            for (; i < n; i++)
                { u[i] += (v[i] + x) * 2; x = -v[i]; }
        }
    }
    return x;
}
int main(void)
{
    static const int sizes[] = {0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 33, 47, 255, 256, 257, 290};
    for (int s = 0; s < 17; s++) {
        int n = sizes[s];
        long sum = 0;
        for (int i = 0; i < MOST; i++) {
            p[i] = i % 7; r[i] = i % 5; g[i] = i % 11 - 4; v[i] = i % 13 * 0.5; u[i] = w[i] = 0;
        }
        for (int i = 0; i < 48; i++)
            for (int j = 0; j < 48; j++)
                a[i][j] = i - j, b[i][j] = i * j % 9, c[i][j] = i % 3 - j % 4;
        dead(n, p, r, g);
        if (n < 48) product(n);
        double x = spliced(n);
        for (int i = 0; i < MOST; i++) sum = (sum * 31 + p[i] + 3 * r[i]) & 0xffffffff;
        for (int i = 0; i < 48 * 48; i++) sum = (sum * 31 + b[i / 48][i % 48]) & 0xffffffff;
        for (int i = 0; i < MOST; i++) x = x / 3 + u[i] + w[i] / 7;
        printf("%d %ld %a\n", n, sum, x);
    }
    return 0;
}
