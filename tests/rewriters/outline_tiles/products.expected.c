#include <stdio.h>
#include <string.h>

static double a[40][300], b[300][50], c[40][50];
static float p[40][300], q[300][50], r[40][50];

/* s2s: a tile that vector registers hold, out of line: gcc lacks registers else */
static __attribute__((noinline)) void s2s_tile_0(
        double *s2s_tile, long s2s_down, long s2s_count, const double *s2s_lanes_0,
        const double *s2s_rows_0, const double s2s_value_0)
{
    typedef double s2s_vector __attribute__((vector_size(16), aligned(8), may_alias));
    s2s_vector s2s_sum_0 = *(const s2s_vector *)&s2s_tile[0];
    s2s_vector s2s_sum_1 = *(const s2s_vector *)&s2s_tile[2];
    s2s_vector s2s_sum_2 = *(const s2s_vector *)&s2s_tile[s2s_down];
    s2s_vector s2s_sum_3 = *(const s2s_vector *)&s2s_tile[s2s_down + 2];
    s2s_vector s2s_sum_4 = *(const s2s_vector *)&s2s_tile[2 * s2s_down];
    s2s_vector s2s_sum_5 = *(const s2s_vector *)&s2s_tile[2 * s2s_down + 2];
    s2s_vector s2s_sum_6 = *(const s2s_vector *)&s2s_tile[3 * s2s_down];
    s2s_vector s2s_sum_7 = *(const s2s_vector *)&s2s_tile[3 * s2s_down + 2];
    for (; s2s_count > 0; s2s_count--, s2s_lanes_0 += 4, s2s_rows_0 += 4) {
        const s2s_vector s2s_lanes_0_0 = *(const s2s_vector *)&s2s_lanes_0[0];
        const double s2s_row_0_0 = s2s_rows_0[0];
        s2s_vector s2s_lanes_0_1;
        double s2s_row_0_1, s2s_row_0_2, s2s_row_0_3;
        s2s_sum_0 += s2s_row_0_0 * s2s_lanes_0_0 * s2s_value_0;
        s2s_lanes_0_1 = *(const s2s_vector *)&s2s_lanes_0[2];
        s2s_sum_1 += s2s_row_0_0 * s2s_lanes_0_1 * s2s_value_0;
        s2s_row_0_1 = s2s_rows_0[1];
        s2s_sum_2 += s2s_row_0_1 * s2s_lanes_0_0 * s2s_value_0;
        s2s_sum_3 += s2s_row_0_1 * s2s_lanes_0_1 * s2s_value_0;
        s2s_row_0_2 = s2s_rows_0[2];
        s2s_sum_4 += s2s_row_0_2 * s2s_lanes_0_0 * s2s_value_0;
        s2s_sum_5 += s2s_row_0_2 * s2s_lanes_0_1 * s2s_value_0;
        s2s_row_0_3 = s2s_rows_0[3];
        s2s_sum_6 += s2s_row_0_3 * s2s_lanes_0_0 * s2s_value_0;
        s2s_sum_7 += s2s_row_0_3 * s2s_lanes_0_1 * s2s_value_0;
    }
    *(s2s_vector *)&s2s_tile[0] = s2s_sum_0;
    *(s2s_vector *)&s2s_tile[2] = s2s_sum_1;
    *(s2s_vector *)&s2s_tile[s2s_down] = s2s_sum_2;
    *(s2s_vector *)&s2s_tile[s2s_down + 2] = s2s_sum_3;
    *(s2s_vector *)&s2s_tile[2 * s2s_down] = s2s_sum_4;
    *(s2s_vector *)&s2s_tile[2 * s2s_down + 2] = s2s_sum_5;
    *(s2s_vector *)&s2s_tile[3 * s2s_down] = s2s_sum_6;
    *(s2s_vector *)&s2s_tile[3 * s2s_down + 2] = s2s_sum_7;
}

/* Two products of one form have one function, with what each of them multiplies by. */
static void chain(int n, int m, int d, double alpha, double beta)
{

    {
        /* s2s: 4x4 elements over 'i' and 'j' held along 'k', operands in panels */
        if (n >= 1 && m >= 1 && m <= 50 && d >= 1 && d <= 300) {
            double s2s_lanes_0[16448] __attribute__((aligned(64)));
            double s2s_rows_0[61440] __attribute__((aligned(64)));
            for (long s2s_i_block = 0; s2s_i_block <= (long)(n - 1) / 240; s2s_i_block++) {
                for (long s2s_k_block = 0; s2s_k_block <= (long)(d - 1) / 256; s2s_k_block++) {
                    if (m >= 4) {
                        long s2s_k_r_end = 60 * s2s_i_block + 59;
                        if (s2s_k_r_end > (long)n / 4 - 1) s2s_k_r_end = (long)n / 4 - 1;
                        for (long s2s_k_r = 60 * s2s_i_block; s2s_k_r <= s2s_k_r_end; s2s_k_r++) {
                            long s2s_i_r_end = d - 1;
                            if (s2s_i_r_end > 256 * s2s_k_block + 255)
                                s2s_i_r_end = 256 * s2s_k_block + 255;
                            for (long s2s_i_r = 256 * s2s_k_block; s2s_i_r <= s2s_i_r_end;
                                 s2s_i_r++) {
                                for (int s2s_row = 0; s2s_row < 4; s2s_row++) {
                                    s2s_rows_0[(s2s_k_r % 60 * 256 + s2s_i_r % 256) * 4 + s2s_row] =
                                            a[4 * s2s_k_r + s2s_row][s2s_i_r];
                                }
                            }
                        }
                    }
                    if (n >= 240 * s2s_i_block + 4) {
                        long s2s_k_r_end = d - 1;
                        if (s2s_k_r_end > 256 * s2s_k_block + 255)
                            s2s_k_r_end = 256 * s2s_k_block + 255;
                        for (long s2s_k_r = 256 * s2s_k_block; s2s_k_r <= s2s_k_r_end; s2s_k_r++) {
                            for (long s2s_i_r = 0; s2s_i_r < (long)m / 4; s2s_i_r++) {
                                for (int s2s_lane = 0; s2s_lane < 4; s2s_lane++) {
                                    s2s_lanes_0[(s2s_i_r % 16 * 257 + s2s_k_r % 256) * 4
                                                + s2s_lane] =
                                            b[s2s_k_r][4 * s2s_i_r + s2s_lane];
                                }
                            }
                        }
                    }
                    {
                        long s2s_i_tile_end = 60 * s2s_i_block + 59;
                        if (s2s_i_tile_end > (long)(n - 1) / 4) s2s_i_tile_end = (long)(n - 1) / 4;
                        for (long s2s_i_tile = 60 * s2s_i_block; s2s_i_tile <= s2s_i_tile_end;
                             s2s_i_tile++) {
                            if (n >= 4 * s2s_i_tile + 4) {
                                for (long s2s_j_tile = 0; s2s_j_tile < (long)m / 4; s2s_j_tile++) {
                                    long s2s_k_end = d - 1;
                                    if (s2s_k_end > 256 * s2s_k_block + 255)
                                        s2s_k_end = 256 * s2s_k_block + 255;
                                    if (256 * s2s_k_block <= s2s_k_end) {
                                        const long s2s_lanes = s2s_j_tile % 16 * 257
                                                               - s2s_k_block * 256;
                                        const long s2s_rows = s2s_i_tile % 60 * 256
                                                              - s2s_k_block * 256;
                                        s2s_tile_0(
                                            &c[4 * s2s_i_tile][4 * s2s_j_tile],
                                            &c[4 * s2s_i_tile + 1][4 * s2s_j_tile]
                                            - &c[4 * s2s_i_tile][4 * s2s_j_tile],
                                            (long)s2s_k_end - 256 * s2s_k_block + 1,
                                            &s2s_lanes_0[(s2s_lanes + 256 * s2s_k_block) * 4],
                                            &s2s_rows_0[(s2s_rows + 256 * s2s_k_block) * 4], alpha);
                                    }
                                }
                                if ((long)m % 4 >= 1) {
                                    long s2s_k_end = d - 1;
                                    if (s2s_k_end > 256 * s2s_k_block + 255)
                                        s2s_k_end = 256 * s2s_k_block + 255;
                                    for (int k = (int)(256 * s2s_k_block); k <= s2s_k_end; k++) {
                                        for (int i = (int)(4 * s2s_i_tile);
                                             i <= 4 * s2s_i_tile + 3; i++) {
                                            for (int j = (int)(m - (long)(m - 1) % 4 - 1); j < m;
                                                 j++) {
                                                c[i][j] += a[i][k] * b[k][j] * alpha;
                                            }
                                        }
                                    }
                                }
                            } else {
                                long s2s_k_end = d - 1;
                                if (s2s_k_end > 256 * s2s_k_block + 255)
                                    s2s_k_end = 256 * s2s_k_block + 255;
                                for (int k = (int)(256 * s2s_k_block); k <= s2s_k_end; k++) {
                                    for (int i = (int)(4 * s2s_i_tile); i < n; i++) {
                                        for (int j = 0; j < m; j++) {
                                            c[i][j] += a[i][k] * b[k][j] * alpha;
                                        }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        } else {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < d; k++)
                c[i][j] += a[i][k] * b[k][j] * alpha;
        }
    }
    memcpy(a, c, sizeof c);

    {
        /* s2s: 4x4 elements over 'i' and 'j' held along 'k', operands in panels */
        if (n >= 1 && m >= 1 && m <= 50 && d >= 1 && d <= 300) {
            double s2s_lanes_0[16448] __attribute__((aligned(64)));
            double s2s_rows_0[61440] __attribute__((aligned(64)));
            for (long s2s_i_block = 0; s2s_i_block <= (long)(n - 1) / 240; s2s_i_block++) {
                for (long s2s_k_block = 0; s2s_k_block <= (long)(d - 1) / 256; s2s_k_block++) {
                    if (m >= 4) {
                        long s2s_k_r_end = 60 * s2s_i_block + 59;
                        if (s2s_k_r_end > (long)n / 4 - 1) s2s_k_r_end = (long)n / 4 - 1;
                        for (long s2s_k_r = 60 * s2s_i_block; s2s_k_r <= s2s_k_r_end; s2s_k_r++) {
                            long s2s_i_r_end = d - 1;
                            if (s2s_i_r_end > 256 * s2s_k_block + 255)
                                s2s_i_r_end = 256 * s2s_k_block + 255;
                            for (long s2s_i_r = 256 * s2s_k_block; s2s_i_r <= s2s_i_r_end;
                                 s2s_i_r++) {
                                for (int s2s_row = 0; s2s_row < 4; s2s_row++) {
                                    s2s_rows_0[(s2s_k_r % 60 * 256 + s2s_i_r % 256) * 4 + s2s_row] =
                                            a[4 * s2s_k_r + s2s_row][s2s_i_r];
                                }
                            }
                        }
                    }
                    if (n >= 240 * s2s_i_block + 4) {
                        long s2s_k_r_end = d - 1;
                        if (s2s_k_r_end > 256 * s2s_k_block + 255)
                            s2s_k_r_end = 256 * s2s_k_block + 255;
                        for (long s2s_k_r = 256 * s2s_k_block; s2s_k_r <= s2s_k_r_end; s2s_k_r++) {
                            for (long s2s_i_r = 0; s2s_i_r < (long)m / 4; s2s_i_r++) {
                                for (int s2s_lane = 0; s2s_lane < 4; s2s_lane++) {
                                    s2s_lanes_0[(s2s_i_r % 16 * 257 + s2s_k_r % 256) * 4
                                                + s2s_lane] =
                                            b[s2s_k_r][4 * s2s_i_r + s2s_lane];
                                }
                            }
                        }
                    }
                    {
                        long s2s_i_tile_end = 60 * s2s_i_block + 59;
                        if (s2s_i_tile_end > (long)(n - 1) / 4) s2s_i_tile_end = (long)(n - 1) / 4;
                        for (long s2s_i_tile = 60 * s2s_i_block; s2s_i_tile <= s2s_i_tile_end;
                             s2s_i_tile++) {
                            if (n >= 4 * s2s_i_tile + 4) {
                                for (long s2s_j_tile = 0; s2s_j_tile < (long)m / 4; s2s_j_tile++) {
                                    long s2s_k_end = d - 1;
                                    if (s2s_k_end > 256 * s2s_k_block + 255)
                                        s2s_k_end = 256 * s2s_k_block + 255;
                                    if (256 * s2s_k_block <= s2s_k_end) {
                                        const long s2s_lanes = s2s_j_tile % 16 * 257
                                                               - s2s_k_block * 256;
                                        const long s2s_rows = s2s_i_tile % 60 * 256
                                                              - s2s_k_block * 256;
                                        s2s_tile_0(
                                            &c[4 * s2s_i_tile][4 * s2s_j_tile],
                                            &c[4 * s2s_i_tile + 1][4 * s2s_j_tile]
                                            - &c[4 * s2s_i_tile][4 * s2s_j_tile],
                                            (long)s2s_k_end - 256 * s2s_k_block + 1,
                                            &s2s_lanes_0[(s2s_lanes + 256 * s2s_k_block) * 4],
                                            &s2s_rows_0[(s2s_rows + 256 * s2s_k_block) * 4], beta);
                                    }
                                }
                                if ((long)m % 4 >= 1) {
                                    long s2s_k_end = d - 1;
                                    if (s2s_k_end > 256 * s2s_k_block + 255)
                                        s2s_k_end = 256 * s2s_k_block + 255;
                                    for (int k = (int)(256 * s2s_k_block); k <= s2s_k_end; k++) {
                                        for (int i = (int)(4 * s2s_i_tile);
                                             i <= 4 * s2s_i_tile + 3; i++) {
                                            for (int j = (int)(m - (long)(m - 1) % 4 - 1); j < m;
                                                 j++) {
                                                c[i][j] += a[i][k] * b[k][j] * beta;
                                            }
                                        }
                                    }
                                }
                            } else {
                                long s2s_k_end = d - 1;
                                if (s2s_k_end > 256 * s2s_k_block + 255)
                                    s2s_k_end = 256 * s2s_k_block + 255;
                                for (int k = (int)(256 * s2s_k_block); k <= s2s_k_end; k++) {
                                    for (int i = (int)(4 * s2s_i_tile); i < n; i++) {
                                        for (int j = 0; j < m; j++) {
                                            c[i][j] += a[i][k] * b[k][j] * beta;
                                        }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        } else {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < d; k++)
                c[i][j] += a[i][k] * b[k][j] * beta;
        }
    }
}

/* s2s: a tile that vector registers hold, out of line: gcc lacks registers else */
static __attribute__((noinline)) void s2s_tile_1(
        float *s2s_tile, long s2s_down, long s2s_count, const float *s2s_lanes_0,
        const float *s2s_rows_0)
{
    typedef float s2s_vector __attribute__((vector_size(16), aligned(4), may_alias));
    s2s_vector s2s_sum_0 = *(const s2s_vector *)&s2s_tile[0];
    s2s_vector s2s_sum_1 = *(const s2s_vector *)&s2s_tile[4];
    s2s_vector s2s_sum_2 = *(const s2s_vector *)&s2s_tile[s2s_down];
    s2s_vector s2s_sum_3 = *(const s2s_vector *)&s2s_tile[s2s_down + 4];
    s2s_vector s2s_sum_4 = *(const s2s_vector *)&s2s_tile[2 * s2s_down];
    s2s_vector s2s_sum_5 = *(const s2s_vector *)&s2s_tile[2 * s2s_down + 4];
    s2s_vector s2s_sum_6 = *(const s2s_vector *)&s2s_tile[3 * s2s_down];
    s2s_vector s2s_sum_7 = *(const s2s_vector *)&s2s_tile[3 * s2s_down + 4];
    for (; s2s_count > 0; s2s_count--, s2s_lanes_0 += 8, s2s_rows_0 += 4) {
        const s2s_vector s2s_lanes_0_0 = *(const s2s_vector *)&s2s_lanes_0[0];
        const float s2s_row_0_0 = s2s_rows_0[0];
        s2s_vector s2s_lanes_0_1;
        float s2s_row_0_1, s2s_row_0_2, s2s_row_0_3;
        s2s_sum_0 -= s2s_row_0_0 * s2s_lanes_0_0 * 0.5f;
        s2s_lanes_0_1 = *(const s2s_vector *)&s2s_lanes_0[4];
        s2s_sum_1 -= s2s_row_0_0 * s2s_lanes_0_1 * 0.5f;
        s2s_row_0_1 = s2s_rows_0[1];
        s2s_sum_2 -= s2s_row_0_1 * s2s_lanes_0_0 * 0.5f;
        s2s_sum_3 -= s2s_row_0_1 * s2s_lanes_0_1 * 0.5f;
        s2s_row_0_2 = s2s_rows_0[2];
        s2s_sum_4 -= s2s_row_0_2 * s2s_lanes_0_0 * 0.5f;
        s2s_sum_5 -= s2s_row_0_2 * s2s_lanes_0_1 * 0.5f;
        s2s_row_0_3 = s2s_rows_0[3];
        s2s_sum_6 -= s2s_row_0_3 * s2s_lanes_0_0 * 0.5f;
        s2s_sum_7 -= s2s_row_0_3 * s2s_lanes_0_1 * 0.5f;
    }
    *(s2s_vector *)&s2s_tile[0] = s2s_sum_0;
    *(s2s_vector *)&s2s_tile[4] = s2s_sum_1;
    *(s2s_vector *)&s2s_tile[s2s_down] = s2s_sum_2;
    *(s2s_vector *)&s2s_tile[s2s_down + 4] = s2s_sum_3;
    *(s2s_vector *)&s2s_tile[2 * s2s_down] = s2s_sum_4;
    *(s2s_vector *)&s2s_tile[2 * s2s_down + 4] = s2s_sum_5;
    *(s2s_vector *)&s2s_tile[3 * s2s_down] = s2s_sum_6;
    *(s2s_vector *)&s2s_tile[3 * s2s_down + 4] = s2s_sum_7;
}

// Counted by
// unsigned numbers.
static void counted(unsigned n, unsigned m, unsigned d)
{

    {
        /* s2s: 4x8 elements over 'i' and 'j' held along 'k', operands in panels */
        if ((long)n >= 1 && (long)m >= 1 && (long)m <= 50 && (long)d >= 1 && (long)d <= 300) {
            float s2s_lanes_0[32896] __attribute__((aligned(64)));
            float s2s_rows_0[122880] __attribute__((aligned(64)));
            for (long s2s_i_block = 0; s2s_i_block <= ((long)n - 1) / 480; s2s_i_block++) {
                for (long s2s_k_block = 0; s2s_k_block <= ((long)d - 1) / 256; s2s_k_block++) {
                    if ((long)m >= 8) {
                        long s2s_k_r_end = 120 * s2s_i_block + 119;
                        if (s2s_k_r_end > (long)n / 4 - 1) s2s_k_r_end = (long)n / 4 - 1;
                        for (long s2s_k_r = 120 * s2s_i_block; s2s_k_r <= s2s_k_r_end; s2s_k_r++) {
                            long s2s_i_r_end = (long)d - 1;
                            if (s2s_i_r_end > 256 * s2s_k_block + 255)
                                s2s_i_r_end = 256 * s2s_k_block + 255;
                            for (long s2s_i_r = 256 * s2s_k_block; s2s_i_r <= s2s_i_r_end;
                                 s2s_i_r++) {
                                for (int s2s_row = 0; s2s_row < 4; s2s_row++) {
                                    s2s_rows_0[(s2s_k_r % 120 * 256 + s2s_i_r % 256) * 4
                                               + s2s_row] =
                                            p[4 * s2s_k_r + s2s_row][s2s_i_r];
                                }
                            }
                        }
                    }
                    if ((long)n >= 480 * s2s_i_block + 4) {
                        long s2s_k_r_end = (long)d - 1;
                        if (s2s_k_r_end > 256 * s2s_k_block + 255)
                            s2s_k_r_end = 256 * s2s_k_block + 255;
                        for (long s2s_k_r = 256 * s2s_k_block; s2s_k_r <= s2s_k_r_end; s2s_k_r++) {
                            for (long s2s_i_r = 0; s2s_i_r < (long)m / 8; s2s_i_r++) {
                                for (int s2s_lane = 0; s2s_lane < 8; s2s_lane++) {
                                    s2s_lanes_0[(s2s_i_r % 16 * 257 + s2s_k_r % 256) * 8
                                                + s2s_lane] =
                                            q[s2s_k_r][8 * s2s_i_r + s2s_lane];
                                }
                            }
                        }
                    }
                    {
                        long s2s_i_tile_end = 120 * s2s_i_block + 119;
                        if (s2s_i_tile_end > ((long)n - 1) / 4) s2s_i_tile_end = ((long)n - 1) / 4;
                        for (long s2s_i_tile = 120 * s2s_i_block; s2s_i_tile <= s2s_i_tile_end;
                             s2s_i_tile++) {
                            if ((long)n >= 4 * s2s_i_tile + 4) {
                                for (long s2s_j_tile = 0; s2s_j_tile < (long)m / 8; s2s_j_tile++) {
                                    long s2s_k_end = (long)d - 1;
                                    if (s2s_k_end > 256 * s2s_k_block + 255)
                                        s2s_k_end = 256 * s2s_k_block + 255;
                                    if ((unsigned int)(256 * s2s_k_block) <= s2s_k_end) {
                                        const long s2s_lanes = s2s_j_tile % 16 * 257
                                                               - s2s_k_block * 256;
                                        const long s2s_rows = s2s_i_tile % 120 * 256
                                                              - s2s_k_block * 256;
                                        s2s_tile_1(
                                            &r[4 * s2s_i_tile][8 * s2s_j_tile],
                                            &r[4 * s2s_i_tile + 1][8 * s2s_j_tile]
                                            - &r[4 * s2s_i_tile][8 * s2s_j_tile],
                                            (long)s2s_k_end - 256 * s2s_k_block + 1,
                                            &s2s_lanes_0[(s2s_lanes + 256 * s2s_k_block) * 8],
                                            &s2s_rows_0[(s2s_rows + 256 * s2s_k_block) * 4]);
                                    }
                                }
                                if ((long)m % 8 >= 1) {
                                    long s2s_k_end = (long)d - 1;
                                    if (s2s_k_end > 256 * s2s_k_block + 255)
                                        s2s_k_end = 256 * s2s_k_block + 255;
                                    for (unsigned int k = (unsigned int)(256 * s2s_k_block);
                                         k <= s2s_k_end; k++) {
                                        for (unsigned int i = (unsigned int)(4 * s2s_i_tile);
                                             i <= 4 * s2s_i_tile + 3; i++) {
                                            for (unsigned int j = (unsigned int)(
                                                                      (long)m - ((long)m - 1) % 8 - 1);
                                                 j < (long)m; j++) {
                                                r[i][j] -= p[i][k] * q[k][j] * 0.5f;
                                            }
                                        }
                                    }
                                }
                            } else {
                                long s2s_k_end = (long)d - 1;
                                if (s2s_k_end > 256 * s2s_k_block + 255)
                                    s2s_k_end = 256 * s2s_k_block + 255;
                                for (unsigned int k = (unsigned int)(256 * s2s_k_block);
                                     k <= s2s_k_end; k++) {
                                    for (unsigned int i = (unsigned int)(4 * s2s_i_tile);
                                         i < (long)n; i++) {
                                        for (unsigned int j = 0; j < (long)m; j++) {
                                            r[i][j] -= p[i][k] * q[k][j] * 0.5f;
                                        }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        } else {
    for (unsigned i = 0; i < n; i++)
        for (unsigned j = 0; j < m; j++)
            for (unsigned k = 0; k < d; k++)
                r[i][j] -= p[i][k] * q[k][j] * 0.5f;
        }
    }
}

int main(void)
{
    static const int sizes[][3] = {{40, 50, 300}, {6, 16, 16}, {17, 33, 256}, {3, 20, 9}};
    for (int s = 0; s < 4; s++) {
        for (int i = 0; i < 40 * 300; i++) a[i / 300][i % 300] = p[i / 300][i % 300] = i * 7 % 23 / 4.0 - 1;
        for (int i = 0; i < 300 * 50; i++) b[i / 50][i % 50] = q[i / 50][i % 50] = i * 5 % 19 / 8.0 - 2;
        for (int i = 0; i < 40 * 50; i++) c[i / 50][i % 50] = r[i / 50][i % 50] = i % 13;
        chain(sizes[s][0], sizes[s][1], sizes[s][2], 1.25, 0.75);
        counted(sizes[s][0], sizes[s][1], sizes[s][2]);
        for (int i = 0; i < 40 * 50; i++) printf("%.17g %.9g\n", c[i / 50][i % 50], r[i / 50][i % 50]);
    }
    return 0;
}
