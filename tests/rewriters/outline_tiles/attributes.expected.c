/* What is declared of a function stays with it. */
#define EXPORTED __attribute__((visibility("default")))
/* s2s: a tile that vector registers hold, out of line: gcc lacks registers else */
static __attribute__((noinline)) void s2s_tile_0(
        double *s2s_tile, long s2s_down, long s2s_count, const double *s2s_lanes_0,
        const double *s2s_rows_0)
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
        s2s_sum_0 += s2s_row_0_0 * s2s_lanes_0_0;
        s2s_lanes_0_1 = *(const s2s_vector *)&s2s_lanes_0[2];
        s2s_sum_1 += s2s_row_0_0 * s2s_lanes_0_1;
        s2s_row_0_1 = s2s_rows_0[1];
        s2s_sum_2 += s2s_row_0_1 * s2s_lanes_0_0;
        s2s_sum_3 += s2s_row_0_1 * s2s_lanes_0_1;
        s2s_row_0_2 = s2s_rows_0[2];
        s2s_sum_4 += s2s_row_0_2 * s2s_lanes_0_0;
        s2s_sum_5 += s2s_row_0_2 * s2s_lanes_0_1;
        s2s_row_0_3 = s2s_rows_0[3];
        s2s_sum_6 += s2s_row_0_3 * s2s_lanes_0_0;
        s2s_sum_7 += s2s_row_0_3 * s2s_lanes_0_1;
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

EXPORTED

void above(int n, double (*restrict a)[90], double (*restrict b)[90], double (*restrict c)[90])
{

    {
        /* s2s: 4x4 elements over 'i' and 'j' held along 'k', operands in panels */
        if (n >= 1 && n <= 90) {
            double s2s_lanes_0[16448] __attribute__((aligned(64)));
            double s2s_rows_0[61440] __attribute__((aligned(64)));
            for (long s2s_k_r = 0; s2s_k_r < (long)n / 4; s2s_k_r++) {
                for (long s2s_i_r = 0; s2s_i_r < n; s2s_i_r++) {
                    for (int s2s_row = 0; s2s_row < 4; s2s_row++) {
                        s2s_rows_0[(s2s_k_r % 60 * 256 + s2s_i_r % 256) * 4 + s2s_row] =
                                a[4 * s2s_k_r + s2s_row][s2s_i_r];
                    }
                }
            }
            for (long s2s_j_block = 0; s2s_j_block <= (long)(n - 1) / 64; s2s_j_block++) {
                for (long s2s_k_r = 0; s2s_k_r < n; s2s_k_r++) {
                    long s2s_i_r_end = 16 * s2s_j_block + 15;
                    if (s2s_i_r_end > (long)n / 4 - 1) s2s_i_r_end = (long)n / 4 - 1;
                    for (long s2s_i_r = 16 * s2s_j_block; s2s_i_r <= s2s_i_r_end; s2s_i_r++) {
                        for (int s2s_lane = 0; s2s_lane < 4; s2s_lane++) {
                            s2s_lanes_0[(s2s_i_r % 16 * 257 + s2s_k_r % 256) * 4 + s2s_lane] =
                                    b[s2s_k_r][4 * s2s_i_r + s2s_lane];
                        }
                    }
                }
                for (long s2s_i_tile = 0; s2s_i_tile <= (long)(n - 1) / 4; s2s_i_tile++) {
                    if (n >= 4 * s2s_i_tile + 4) {
                        {
                            long s2s_j_tile_end = 16 * s2s_j_block + 15;
                            if (s2s_j_tile_end > (long)n / 4 - 1)
                                s2s_j_tile_end = (long)n / 4 - 1;
                            for (long s2s_j_tile = 16 * s2s_j_block;
                                 s2s_j_tile <= s2s_j_tile_end; s2s_j_tile++) {
                                const long s2s_lanes = s2s_j_tile % 16 * 257 - 0 / 256 * 256;
                                const long s2s_rows = s2s_i_tile % 60 * 256 - 0 / 256 * 256;
                                s2s_tile_0(&c[4 * s2s_i_tile][4 * s2s_j_tile],
                                           &c[4 * s2s_i_tile + 1][4 * s2s_j_tile]
                                           - &c[4 * s2s_i_tile][4 * s2s_j_tile], (long)n,
                                           &s2s_lanes_0[s2s_lanes * 4],
                                           &s2s_rows_0[s2s_rows * 4]);
                            }
                        }
                        if (64 * s2s_j_block + 63 >= n && (91L - n) % 4 <= 2) {
                            for (int k = 0; k < n; k++) {
                                for (int i = (int)(4 * s2s_i_tile); i <= 4 * s2s_i_tile + 3;
                                     i++) {
                                    for (int j = (int)((92L - n) % 4 + n - 4); j < n; j++) {
                                        c[i][j] += a[i][k] * b[k][j];
                                    }
                                }
                            }
                        }
                    } else {
                        for (int k = 0; k < n; k++) {
                            for (int i = (int)(4 * s2s_i_tile); i < n; i++) {
                                long s2s_j_end = n - 1;
                                if (s2s_j_end > 64 * s2s_j_block + 63)
                                    s2s_j_end = 64 * s2s_j_block + 63;
                                for (int j = (int)(64 * s2s_j_block); j <= s2s_j_end; j++) {
                                    c[i][j] += a[i][k] * b[k][j];
                                }
                            }
                        }
                    }
                }
            }
        } else {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                c[i][j] += a[i][k] * b[k][j];
        }
    }
}

/* Its vectors are not those of the file. */
__attribute__((optimize("O2"))) void special(
    int n, double (*restrict a)[90], double (*restrict b)[90], double (*restrict c)[90])
{

    {
        /* s2s: 4x4 elements over 'i' and 'j' held along 'k', operands in panels */
        if (n >= 1 && n <= 90) {
            typedef double s2s_vector __attribute__((vector_size(16), aligned(8), may_alias));
            double s2s_lanes_0[16448] __attribute__((aligned(64)));
            double s2s_rows_0[61440] __attribute__((aligned(64)));
            for (long s2s_k_r = 0; s2s_k_r < (long)n / 4; s2s_k_r++) {
                for (long s2s_i_r = 0; s2s_i_r < n; s2s_i_r++) {
                    for (int s2s_row = 0; s2s_row < 4; s2s_row++) {
                        s2s_rows_0[(s2s_k_r % 60 * 256 + s2s_i_r % 256) * 4 + s2s_row] =
                                a[4 * s2s_k_r + s2s_row][s2s_i_r];
                    }
                }
            }
            for (long s2s_j_block = 0; s2s_j_block <= (long)(n - 1) / 64; s2s_j_block++) {
                for (long s2s_k_r = 0; s2s_k_r < n; s2s_k_r++) {
                    long s2s_i_r_end = 16 * s2s_j_block + 15;
                    if (s2s_i_r_end > (long)n / 4 - 1) s2s_i_r_end = (long)n / 4 - 1;
                    for (long s2s_i_r = 16 * s2s_j_block; s2s_i_r <= s2s_i_r_end; s2s_i_r++) {
                        for (int s2s_lane = 0; s2s_lane < 4; s2s_lane++) {
                            s2s_lanes_0[(s2s_i_r % 16 * 257 + s2s_k_r % 256) * 4 + s2s_lane] =
                                    b[s2s_k_r][4 * s2s_i_r + s2s_lane];
                        }
                    }
                }
                for (long s2s_i_tile = 0; s2s_i_tile <= (long)(n - 1) / 4; s2s_i_tile++) {
                    if (n >= 4 * s2s_i_tile + 4) {
                        {
                            long s2s_j_tile_end = 16 * s2s_j_block + 15;
                            if (s2s_j_tile_end > (long)n / 4 - 1)
                                s2s_j_tile_end = (long)n / 4 - 1;
                            for (long s2s_j_tile = 16 * s2s_j_block;
                                 s2s_j_tile <= s2s_j_tile_end; s2s_j_tile++) {
                                const long s2s_lanes = s2s_j_tile % 16 * 257 - 0 / 256 * 256;
                                const long s2s_rows = s2s_i_tile % 60 * 256 - 0 / 256 * 256;
                                s2s_vector s2s_sum_0 =
                                        *(const s2s_vector *)&c[4 * s2s_i_tile][4 * s2s_j_tile];
                                s2s_vector s2s_sum_1 =
                                        *(const s2s_vector *)&c[4 * s2s_i_tile][4 * s2s_j_tile + 2];
                                s2s_vector s2s_sum_2 =
                                        *(const s2s_vector *)&c[4 * s2s_i_tile + 1][4 * s2s_j_tile];
                                s2s_vector s2s_sum_3 =
                                        *(const s2s_vector *)&c[4 * s2s_i_tile + 1][4 * s2s_j_tile + 2];
                                s2s_vector s2s_sum_4 =
                                        *(const s2s_vector *)&c[4 * s2s_i_tile + 2][4 * s2s_j_tile];
                                s2s_vector s2s_sum_5 =
                                        *(const s2s_vector *)&c[4 * s2s_i_tile + 2][4 * s2s_j_tile + 2];
                                s2s_vector s2s_sum_6 =
                                        *(const s2s_vector *)&c[4 * s2s_i_tile + 3][4 * s2s_j_tile];
                                s2s_vector s2s_sum_7 =
                                        *(const s2s_vector *)&c[4 * s2s_i_tile + 3][4 * s2s_j_tile + 2];
                                for (int k = 0; k < n; k++) {
                                    const s2s_vector s2s_lanes_0_0 =
                                            *(const s2s_vector *)&s2s_lanes_0[
                                                (s2s_lanes + k) * 4];
                                    const double s2s_row_0_0 = s2s_rows_0[(s2s_rows + k) * 4];
                                    s2s_vector s2s_lanes_0_1;
                                    double s2s_row_0_1, s2s_row_0_2, s2s_row_0_3;
                                    s2s_sum_0 += s2s_row_0_0 * s2s_lanes_0_0;
                                    s2s_lanes_0_1 =
                                            *(const s2s_vector *)&s2s_lanes_0[
                                                (s2s_lanes + k) * 4 + 2];
                                    s2s_sum_1 += s2s_row_0_0 * s2s_lanes_0_1;
                                    s2s_row_0_1 = s2s_rows_0[(s2s_rows + k) * 4 + 1];
                                    s2s_sum_2 += s2s_row_0_1 * s2s_lanes_0_0;
                                    s2s_sum_3 += s2s_row_0_1 * s2s_lanes_0_1;
                                    s2s_row_0_2 = s2s_rows_0[(s2s_rows + k) * 4 + 2];
                                    s2s_sum_4 += s2s_row_0_2 * s2s_lanes_0_0;
                                    s2s_sum_5 += s2s_row_0_2 * s2s_lanes_0_1;
                                    s2s_row_0_3 = s2s_rows_0[(s2s_rows + k) * 4 + 3];
                                    s2s_sum_6 += s2s_row_0_3 * s2s_lanes_0_0;
                                    s2s_sum_7 += s2s_row_0_3 * s2s_lanes_0_1;
                                }
                                *(s2s_vector *)&c[4 * s2s_i_tile][4 * s2s_j_tile] = s2s_sum_0;
                                *(s2s_vector *)&c[4 * s2s_i_tile][4 * s2s_j_tile + 2] = s2s_sum_1;
                                *(s2s_vector *)&c[4 * s2s_i_tile + 1][4 * s2s_j_tile] = s2s_sum_2;
                                *(s2s_vector *)&c[4 * s2s_i_tile + 1][4 * s2s_j_tile + 2] = s2s_sum_3;
                                *(s2s_vector *)&c[4 * s2s_i_tile + 2][4 * s2s_j_tile] = s2s_sum_4;
                                *(s2s_vector *)&c[4 * s2s_i_tile + 2][4 * s2s_j_tile + 2] = s2s_sum_5;
                                *(s2s_vector *)&c[4 * s2s_i_tile + 3][4 * s2s_j_tile] = s2s_sum_6;
                                *(s2s_vector *)&c[4 * s2s_i_tile + 3][4 * s2s_j_tile + 2] = s2s_sum_7;
                            }
                        }
                        if (64 * s2s_j_block + 63 >= n && (91L - n) % 4 <= 2) {
                            for (int k = 0; k < n; k++) {
                                for (int i = (int)(4 * s2s_i_tile); i <= 4 * s2s_i_tile + 3;
                                     i++) {
                                    for (int j = (int)((92L - n) % 4 + n - 4); j < n; j++) {
                                        c[i][j] += a[i][k] * b[k][j];
                                    }
                                }
                            }
                        }
                    } else {
                        for (int k = 0; k < n; k++) {
                            for (int i = (int)(4 * s2s_i_tile); i < n; i++) {
                                long s2s_j_end = n - 1;
                                if (s2s_j_end > 64 * s2s_j_block + 63)
                                    s2s_j_end = 64 * s2s_j_block + 63;
                                for (int j = (int)(64 * s2s_j_block); j <= s2s_j_end; j++) {
                                    c[i][j] += a[i][k] * b[k][j];
                                }
                            }
                        }
                    }
                }
            }
        } else {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                c[i][j] += a[i][k] * b[k][j];
        }
    }
}
