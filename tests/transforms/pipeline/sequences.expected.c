/* Tables of dynamic programming: the first row and column inside of the nest, intervals, a skew. */
#include "soundness/numbers.h"

enum { ROWS = 70, COLUMNS = 200 };
static int table[ROWS][COLUMNS];

__attribute__((noinline)) static int align(const unsigned char *x, const unsigned char *y)
{

    {
        /* s2s: tiled 8x32, pipelined */
        if (/* 'table' and 'x' do not overlap */
            ((const char *)(table + 70) <= (const char *)(x + 1)
             || (const char *)(x + 70) <= (const char *)table)
            /* 'table' and 'y' do not overlap */
            && ((const char *)(table + 70) <= (const char *)(y + 1)
                || (const char *)(y + 200) <= (const char *)table)) {
#pragma omp parallel for ordered(2) schedule(static, 1)
            for (long s2s_i_tile = 0; s2s_i_tile <= 69 / 8; s2s_i_tile++)
                for (long s2s_j_tile = 0; s2s_j_tile <= 199 / 32; s2s_j_tile++) {
#pragma omp ordered depend(sink: s2s_i_tile - 1, s2s_j_tile) \
       depend(sink: s2s_i_tile, s2s_j_tile - 1)
                    {
                        long s2s_i_end = 69;
                        if (s2s_i_end > 8 * s2s_i_tile + 7) s2s_i_end = 8 * s2s_i_tile + 7;
                        for (long s2s_i = 8 * s2s_i_tile; s2s_i <= s2s_i_end; s2s_i++) {
                            if (s2s_j_tile == 0) {
                                const int i = (int)s2s_i;
                                table[i][0] = -2 * i;
                            }
                            if (s2s_i >= 1) {
                                const int i = (int)s2s_i;
                                long s2s_j_begin = 1;
                                long s2s_j_end = 199;
                                if (s2s_j_begin < 32 * s2s_j_tile) s2s_j_begin = 32 * s2s_j_tile;
                                if (s2s_j_end > 32 * s2s_j_tile + 31)
                                    s2s_j_end = 32 * s2s_j_tile + 31;
                                for (int j = (int)s2s_j_begin; j <= s2s_j_end; j++) {
                                    int best = table[i - 1][j - 1] + (x[i] == y[j] ? 3 : -1);
                                    if (best < table[i - 1][j] - 2) best = table[i - 1][j] - 2;
                                    if (best < table[i][j - 1] - 2) best = table[i][j - 1] - 2;
                                    table[i][j] = best;
                                }
                            }
                            else {
                                const int i = 0;
                                long s2s_j_begin = 1;
                                long s2s_j_end = 199;
                                if (s2s_j_begin < 32 * s2s_j_tile) s2s_j_begin = 32 * s2s_j_tile;
                                if (s2s_j_end > 32 * s2s_j_tile + 31)
                                    s2s_j_end = 32 * s2s_j_tile + 31;
                                for (int j = (int)s2s_j_begin; j <= s2s_j_end; j++) {
                                    table[i][j] = -2 * j;
                                }
                            }
                        }
                    }
#pragma omp ordered depend(source)
                }
        }
        else {
    for (int i = 0; i < ROWS; i++) {
        table[i][0] = -2 * i;
        for (int j = 1; j < COLUMNS; j++)
            if (i == 0)
                table[i][j] = -2 * j;
            else {
                int best = table[i - 1][j - 1] + (x[i] == y[j] ? 3 : -1);
                if (best < table[i - 1][j] - 2) best = table[i - 1][j] - 2;
                if (best < table[i][j - 1] - 2) best = table[i][j - 1] - 2;
                table[i][j] = best;
            }
    }
        }
    }
    return table[ROWS - 1][COLUMNS - 1];
}

__attribute__((noinline)) static void intervals(int n, const char *s, short t[n][n])
{

    {
        /* s2s: tiled 8x32, pipelined */
        if (/* sizes for which this is right */
            n >= 2
            /* 's' and 't' do not overlap */
            && ((const char *)(s + n) <= (const char *)t
                || (const char *)(t + n) <= (const char *)s)) {
#pragma omp parallel for ordered(2) schedule(static, 1)
            for (long s2s_i_tile = 0; s2s_i_tile <= (n - 2) / 8; s2s_i_tile++)
                for (long s2s_j_tile = 0; s2s_j_tile <= (n - 2) / 32; s2s_j_tile++) {
#pragma omp ordered depend(sink: s2s_i_tile - 1, s2s_j_tile) \
       depend(sink: s2s_i_tile, s2s_j_tile - 1)
                    {
                        long s2s_i_begin = -32 * s2s_j_tile - 31;
                        long s2s_i_end = 0;
                        if (s2s_i_begin < 8 * s2s_i_tile - n + 2)
                            s2s_i_begin = 8 * s2s_i_tile - n + 2;
                        if (s2s_i_end > 8 * s2s_i_tile - n + 9) s2s_i_end = 8 * s2s_i_tile - n + 9;
                        for (long s2s_i = s2s_i_begin; s2s_i <= s2s_i_end; s2s_i++) {
                            const int i = (int)(-s2s_i);
                            long s2s_j_begin = 32 * s2s_j_tile + 1;
                            long s2s_j_end = 32 * s2s_j_tile + 32;
                            if (s2s_j_begin < 1 - s2s_i) s2s_j_begin = 1 - s2s_i;
                            if (s2s_j_end > n - 1) s2s_j_end = n - 1;
                            if (s2s_j_begin <= s2s_j_end) {
                                short s2s_t_1 = t[-s2s_i][(long)s2s_j_begin - 1];
                                short s2s_t_0;
                                for (int j = (int)s2s_j_begin; j <= s2s_j_end; j++) {
                                    int best = s2s_t_1 > t[i + 1][j] ? s2s_t_1 : t[i + 1][j];
                                    int pair = t[i + 1][j - 1] + (s[i] == s[j] ? 2 : 0);
                                    s2s_t_0 = t[i][j] = (short)(best > pair ? best : pair);
                                    s2s_t_1 = s2s_t_0;
                                }
                            }
                        }
                    }
#pragma omp ordered depend(source)
                }
        }
        else {
    for (int i = n - 1; i >= 0; i--)
        for (int j = i + 1; j < n; j++) {
            int best = t[i][j - 1] > t[i + 1][j] ? t[i][j - 1] : t[i + 1][j];
            int pair = t[i + 1][j - 1] + (s[i] == s[j] ? 2 : 0);
            t[i][j] = (short)(best > pair ? best : pair);
        }
        }
    }
}

__attribute__((noinline)) static void sweep(int n, int m, double a[n][m])
{

    {
        /* s2s: tiled 8x32, pipelined */
        if (n >= 2 && m >= 3) {
#pragma omp parallel for ordered(2) schedule(static, 1)
            for (long s2s_i_tile = 0; s2s_i_tile <= (n - 2) / 8; s2s_i_tile++)
                for (long s2s_j_tile = 0; s2s_j_tile <= ((long)n + m - 5) / 32; s2s_j_tile++) {
#pragma omp ordered depend(sink: s2s_i_tile - 1, s2s_j_tile) \
       depend(sink: s2s_i_tile, s2s_j_tile - 1)
                    {
                        long s2s_i_begin = 8 * s2s_i_tile + 1;
                        long s2s_i_end = 8 * s2s_i_tile + 8;
                        if (s2s_i_begin < 32 * s2s_j_tile - m + 4)
                            s2s_i_begin = 32 * s2s_j_tile - m + 4;
                        if (s2s_i_end > 32 * s2s_j_tile + 32) s2s_i_end = 32 * s2s_j_tile + 32;
                        if (s2s_i_end > n - 1) s2s_i_end = n - 1;
                        for (int i = (int)s2s_i_begin; i <= s2s_i_end; i++) {
                            long s2s_j_begin = 32 * s2s_j_tile + 2;
                            long s2s_j_end = 32 * s2s_j_tile + 33;
                            if (s2s_j_begin < (long)i + 1) s2s_j_begin = (long)i + 1;
                            if (s2s_j_end > (long)m + i - 2) s2s_j_end = (long)m + i - 2;
                            if (s2s_j_begin <= s2s_j_end) {
                                double s2s_a_1 = a[i][(long)s2s_j_begin - i - 1];
                                double s2s_a_0;
                                double s2s_a_4 = a[i - 1][(long)s2s_j_begin - i - 1];
                                double s2s_a_3 = 0;
                                if (((long)s2s_j_begin + 1) <= s2s_j_end)
                                    s2s_a_3 = a[i - 1][((long)s2s_j_begin + 1) - i - 1];
                                double s2s_a_2;
                                for (long s2s_j = s2s_j_begin; s2s_j <= s2s_j_end; s2s_j++) {
                                    {
                                        const int j = (int)(s2s_j - i);
                                        s2s_a_0 = a[i][j] = (s2s_a_4 + (s2s_a_2 = a[i - 1][j + 1])
                                                             + s2s_a_1 + a[i][j]) / 4;
                                    }
                                    s2s_a_1 = s2s_a_0;
                                    s2s_a_4 = s2s_a_3;
                                    s2s_a_3 = s2s_a_2;
                                }
                            }
                        }
                    }
#pragma omp ordered depend(source)
                }
        }
        else {
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m - 1; j++)
            a[i][j] = (a[i - 1][j - 1] + a[i - 1][j + 1] + a[i][j - 1] + a[i][j]) / 4;
        }
    }
}

__attribute__((noinline)) static void volume(int p, int q, int r, float v[p][q][r])
{

    {
        /* s2s: tiled 4x4, pipelined */
        if (p >= 2 && q >= 2 && r >= 2) {
#pragma omp parallel for ordered(2) schedule(static, 1)
            for (long s2s_i_tile = 0; s2s_i_tile <= (p - 2) / 4; s2s_i_tile++)
                for (long s2s_j_tile = 0; s2s_j_tile <= (q - 2) / 4; s2s_j_tile++) {
#pragma omp ordered depend(sink: s2s_i_tile - 1, s2s_j_tile) \
       depend(sink: s2s_i_tile, s2s_j_tile - 1)
                    {
                        long s2s_i_end = 4 * s2s_i_tile + 4;
                        if (s2s_i_end > p - 1) s2s_i_end = p - 1;
                        for (int i = (int)(4 * s2s_i_tile + 1); i <= s2s_i_end; i++) {
                            long s2s_j_end = 4 * s2s_j_tile + 4;
                            if (s2s_j_end > q - 1) s2s_j_end = q - 1;
                            for (int j = (int)(4 * s2s_j_tile + 1); j <= s2s_j_end; j++) {
                                for (int k = 1; k < r; k++) {
                                    v[i][j][k] = v[i - 1][j][k] - 0.5f * v[i][j - 1][k]
                                                 + 0.25f * v[i][j][k - 1];
                                }
                            }
                        }
                    }
#pragma omp ordered depend(source)
                }
        }
        else {
    for (int i = 1; i < p; i++)
        for (int j = 1; j < q; j++)
            for (int k = 1; k < r; k++)
                v[i][j][k] = v[i - 1][j][k] - 0.5f * v[i][j - 1][k] + 0.25f * v[i][j][k - 1];
        }
    }
}

int main(void)
{
    unsigned char x[ROWS], y[COLUMNS];
    double *p = numbers(70 * 200, 5);
    for (int k = 0; k < ROWS; k++) x[k] = k * k % 5;
    for (int k = 0; k < COLUMNS; k++) y[k] = k * 7 % 5;
    printf("%d\n", align(x, y));
    short *t = calloc(130 * 130, sizeof *t);
    intervals(130, (const char *)y, (void *)t);
    intervals(1, (const char *)y, (void *)t);
    show("t", t, 130 * 130 * sizeof *t);
    sweep(70, 200, (void *)p);
    sweep(2, 3, (void *)p);
    sweep(9, 2, (void *)p);
    show("p", p, 70 * 200 * sizeof *p);
    float *v = (float *)p;
    for (int k = 0; k < 20 * 20 * 20; k++) v[k] = (float)(k % 17);
    volume(20, 20, 20, (void *)v);
    show("v", v, 20 * 20 * 20 * sizeof *v);
    free(t);
    free(p);
    return 0;
}
