#include <stdio.h>

void weigh(int rows, int depth, int n, float weight, const float *a, int la, const float *b, int lb, float *c, int lc)
{
    int i, j, k;
    {
        /* s2s: loops (i, k, j), unrolled and jammed 'i' by 4 and 'k' by 4 */
        if (/* sizes for which this is right */
            ((rows >= 1 && depth >= 1 && la >= depth && n <= 0)
             || (rows >= 1 && depth >= 1 && la >= depth && n >= 1 && lb >= n && lc >= n))
            /* 'a' and 'c' do not overlap */
            && ((const char *)(a + rows * (long)la) <= (const char *)c
                || (const char *)(c + rows * (long)lc) <= (const char *)a)
            /* 'b' and 'c' do not overlap */
            && ((const char *)(b + depth * (long)lb) <= (const char *)c
                || (const char *)(c + rows * (long)lc) <= (const char *)b)) {
            float s2s_factor_values[16] __attribute__((aligned(64)));
            for (long s2s_i_tile = 0; s2s_i_tile <= (long)(rows - 1) / 4; s2s_i_tile++) {
                for (long s2s_k_tile = 0; s2s_k_tile <= (long)(depth - 1) / 4; s2s_k_tile++) {
                    {
                        long s2s_i_end = rows - 1;
                        if (s2s_i_end > 4 * s2s_i_tile + 3) s2s_i_end = 4 * s2s_i_tile + 3;
                        if (4 * s2s_i_tile <= s2s_i_end) {
                            const int s2s_i_last = (int)s2s_i_end;
                            for (int i = (int)(4 * s2s_i_tile); i <= s2s_i_last; i++) {
                                long s2s_k_end = depth - 1;
                                if (s2s_k_end > 4 * s2s_k_tile + 3) s2s_k_end = 4 * s2s_k_tile + 3;
                                if (4 * s2s_k_tile <= s2s_k_end) {
                                    const int s2s_k_last = (int)s2s_k_end;
                                    for (int k = (int)(4 * s2s_k_tile); k <= s2s_k_last; k++) {
                                        s2s_factor_values[4 * i - 16 * s2s_i_tile + k
                                                          - 4 * s2s_k_tile] =
                                                weight * a[i * la + k];
                                    }
                                }
                            }
                        }
                    }
                    if (4 * s2s_k_tile + 3 >= depth) {
                        long s2s_i_end = rows - 1;
                        if (s2s_i_end > 4 * s2s_i_tile + 3) s2s_i_end = 4 * s2s_i_tile + 3;
                        if (4 * s2s_i_tile <= s2s_i_end) {
                            const int s2s_i_last = (int)s2s_i_end;
                            for (int i = (int)(4 * s2s_i_tile); i <= s2s_i_last; i++) {
                                if (4 * s2s_k_tile < depth) {
                                    const int s2s_k_last = depth;
                                    for (int k = (int)(4 * s2s_k_tile); k < s2s_k_last; k++) {
                                        if (0 < n) {
                                            const int s2s_j_last = n;
                                            {
                                                int s2s_j_at = 0;
                                                for (; (long)s2s_j_last - s2s_j_at >= 16; s2s_j_at += 16)
#pragma GCC ivdep
                                                    for (int s2s_j_lane = 0; s2s_j_lane < 16; s2s_j_lane++) {
                                                        const int j = s2s_j_at + s2s_j_lane;
                                                        {
                                                c[i * lc + j] +=
                                                        s2s_factor_values[
                                                            4 * i - 16 * s2s_i_tile + k
                                                            - 4 * s2s_k_tile] * b[k * lb + j];
                                            }
                                                    }
                                                for (int j = s2s_j_at; j < s2s_j_last; j++)
                                                    {
                                                c[i * lc + j] +=
                                                        s2s_factor_values[
                                                            4 * i - 16 * s2s_i_tile + k
                                                            - 4 * s2s_k_tile] * b[k * lb + j];
                                            }
                                            }
                                        }
                                    }
                                }
                            }
                        }
                    } else if (4 * s2s_i_tile + 3 >= rows && 4 * s2s_i_tile < rows) {
                        const int s2s_i_last = rows;
                        for (int i = (int)(4 * s2s_i_tile); i < s2s_i_last; i++) {
                            if (4 * s2s_k_tile <= 4 * s2s_k_tile + 3) {
                                const int s2s_k_last = (int)(4 * s2s_k_tile + 3);
                                for (int k = (int)(4 * s2s_k_tile); k <= s2s_k_last; k++) {
                                    if (0 < n) {
                                        const int s2s_j_last = n;
                                        {
                                            int s2s_j_at = 0;
                                            for (; (long)s2s_j_last - s2s_j_at >= 16; s2s_j_at += 16)
#pragma GCC ivdep
                                                for (int s2s_j_lane = 0; s2s_j_lane < 16; s2s_j_lane++) {
                                                    const int j = s2s_j_at + s2s_j_lane;
                                                    {
                                            c[i * lc + j] +=
                                                    s2s_factor_values[
                                                        4 * i - 16 * s2s_i_tile + k
                                                        - 4 * s2s_k_tile] * b[k * lb + j];
                                        }
                                                }
                                            for (int j = s2s_j_at; j < s2s_j_last; j++)
                                                {
                                            c[i * lc + j] +=
                                                    s2s_factor_values[
                                                        4 * i - 16 * s2s_i_tile + k
                                                        - 4 * s2s_k_tile] * b[k * lb + j];
                                        }
                                        }
                                    }
                                }
                            }
                        }
                    }
                    if (rows >= 4 * s2s_i_tile + 4 && depth >= 4 * s2s_k_tile + 4 && 0 < n) {
                        const __typeof__(s2s_factor_values[4*(4 * s2s_i_tile)-16*s2s_i_tile+(4 * s2s_k_tile)-4*s2s_k_tile]) s2s_factor_values_0 =
                                s2s_factor_values[
                                    4*(4 * s2s_i_tile)-16*s2s_i_tile+(4 * s2s_k_tile)-4*s2s_k_tile];
                        const __typeof__(s2s_factor_values[4*(4 * s2s_i_tile)-16*s2s_i_tile+(4 * s2s_k_tile + 1)-4*s2s_k_tile]) s2s_factor_values_1 =
                                s2s_factor_values[
                                    4*(4 * s2s_i_tile)-16*s2s_i_tile+(4 * s2s_k_tile + 1)-4*s2s_k_tile];
                        const __typeof__(s2s_factor_values[4*(4 * s2s_i_tile)-16*s2s_i_tile+(4 * s2s_k_tile + 2)-4*s2s_k_tile]) s2s_factor_values_2 =
                                s2s_factor_values[
                                    4*(4 * s2s_i_tile)-16*s2s_i_tile+(4 * s2s_k_tile + 2)-4*s2s_k_tile];
                        const __typeof__(s2s_factor_values[4*(4 * s2s_i_tile)-16*s2s_i_tile+(4 * s2s_k_tile + 3)-4*s2s_k_tile]) s2s_factor_values_3 =
                                s2s_factor_values[
                                    4*(4 * s2s_i_tile)-16*s2s_i_tile+(4 * s2s_k_tile + 3)-4*s2s_k_tile];
                        const __typeof__(s2s_factor_values[4*(4 * s2s_i_tile + 1)-16*s2s_i_tile+(4 * s2s_k_tile)-4*s2s_k_tile]) s2s_factor_values_4 =
                                s2s_factor_values[
                                    4*(4 * s2s_i_tile + 1)-16*s2s_i_tile+(4 * s2s_k_tile)-4*s2s_k_tile];
                        const __typeof__(s2s_factor_values[4*(4 * s2s_i_tile + 1)-16*s2s_i_tile+(4 * s2s_k_tile + 1)-4*s2s_k_tile]) s2s_factor_values_5 =
                                s2s_factor_values[
                                    4*(4 * s2s_i_tile + 1)-16*s2s_i_tile+(4 * s2s_k_tile + 1)-4*s2s_k_tile];
                        const __typeof__(s2s_factor_values[4*(4 * s2s_i_tile + 1)-16*s2s_i_tile+(4 * s2s_k_tile + 2)-4*s2s_k_tile]) s2s_factor_values_6 =
                                s2s_factor_values[
                                    4*(4 * s2s_i_tile + 1)-16*s2s_i_tile+(4 * s2s_k_tile + 2)-4*s2s_k_tile];
                        const __typeof__(s2s_factor_values[4*(4 * s2s_i_tile + 1)-16*s2s_i_tile+(4 * s2s_k_tile + 3)-4*s2s_k_tile]) s2s_factor_values_7 =
                                s2s_factor_values[
                                    4*(4 * s2s_i_tile + 1)-16*s2s_i_tile+(4 * s2s_k_tile + 3)-4*s2s_k_tile];
                        const __typeof__(s2s_factor_values[4*(4 * s2s_i_tile + 2)-16*s2s_i_tile+(4 * s2s_k_tile)-4*s2s_k_tile]) s2s_factor_values_8 =
                                s2s_factor_values[
                                    4*(4 * s2s_i_tile + 2)-16*s2s_i_tile+(4 * s2s_k_tile)-4*s2s_k_tile];
                        const __typeof__(s2s_factor_values[4*(4 * s2s_i_tile + 2)-16*s2s_i_tile+(4 * s2s_k_tile + 1)-4*s2s_k_tile]) s2s_factor_values_9 =
                                s2s_factor_values[
                                    4*(4 * s2s_i_tile + 2)-16*s2s_i_tile+(4 * s2s_k_tile + 1)-4*s2s_k_tile];
                        const __typeof__(s2s_factor_values[4*(4 * s2s_i_tile + 2)-16*s2s_i_tile+(4 * s2s_k_tile + 2)-4*s2s_k_tile]) s2s_factor_values_10 =
                                s2s_factor_values[
                                    4*(4 * s2s_i_tile + 2)-16*s2s_i_tile+(4 * s2s_k_tile + 2)-4*s2s_k_tile];
                        const __typeof__(s2s_factor_values[4*(4 * s2s_i_tile + 2)-16*s2s_i_tile+(4 * s2s_k_tile + 3)-4*s2s_k_tile]) s2s_factor_values_11 =
                                s2s_factor_values[
                                    4*(4 * s2s_i_tile + 2)-16*s2s_i_tile+(4 * s2s_k_tile + 3)-4*s2s_k_tile];
                        const __typeof__(s2s_factor_values[4*(4 * s2s_i_tile + 3)-16*s2s_i_tile+(4 * s2s_k_tile)-4*s2s_k_tile]) s2s_factor_values_12 =
                                s2s_factor_values[
                                    4*(4 * s2s_i_tile + 3)-16*s2s_i_tile+(4 * s2s_k_tile)-4*s2s_k_tile];
                        const __typeof__(s2s_factor_values[4*(4 * s2s_i_tile + 3)-16*s2s_i_tile+(4 * s2s_k_tile + 1)-4*s2s_k_tile]) s2s_factor_values_13 =
                                s2s_factor_values[
                                    4*(4 * s2s_i_tile + 3)-16*s2s_i_tile+(4 * s2s_k_tile + 1)-4*s2s_k_tile];
                        const __typeof__(s2s_factor_values[4*(4 * s2s_i_tile + 3)-16*s2s_i_tile+(4 * s2s_k_tile + 2)-4*s2s_k_tile]) s2s_factor_values_14 =
                                s2s_factor_values[
                                    4*(4 * s2s_i_tile + 3)-16*s2s_i_tile+(4 * s2s_k_tile + 2)-4*s2s_k_tile];
                        const __typeof__(s2s_factor_values[4*(4 * s2s_i_tile + 3)-16*s2s_i_tile+(4 * s2s_k_tile + 3)-4*s2s_k_tile]) s2s_factor_values_15 =
                                s2s_factor_values[
                                    4*(4 * s2s_i_tile + 3)-16*s2s_i_tile+(4 * s2s_k_tile + 3)-4*s2s_k_tile];
                        {
                            int s2s_j_at = 0;
                            for (; (long)n - s2s_j_at >= 16; s2s_j_at += 16)
#pragma GCC ivdep
                                for (int s2s_j_lane = 0; s2s_j_lane < 16; s2s_j_lane++) {
                                    const int j = s2s_j_at + s2s_j_lane;
                                    {
                            const float s2s_b_0 = b[(4 * s2s_k_tile)*lb+j];
                            float s2s_c_0 = c[(4 * s2s_i_tile)*lc+j];
                            float s2s_b_1, s2s_b_2, s2s_b_3, s2s_c_1, s2s_c_2, s2s_c_3;
                            s2s_c_0 += s2s_factor_values_0 * s2s_b_0;
                            s2s_b_1 = b[(4 * s2s_k_tile + 1)*lb+j];
                            s2s_c_0 += s2s_factor_values_1 * s2s_b_1;
                            s2s_b_2 = b[(4 * s2s_k_tile + 2)*lb+j];
                            s2s_c_0 += s2s_factor_values_2 * s2s_b_2;
                            s2s_b_3 = b[(4 * s2s_k_tile + 3)*lb+j];
                            s2s_c_0 += s2s_factor_values_3 * s2s_b_3;
                            c[(4 * s2s_i_tile)*lc+j] = s2s_c_0;
                            s2s_c_1 = c[(4 * s2s_i_tile + 1)*lc+j];
                            s2s_c_1 += s2s_factor_values_4 * s2s_b_0;
                            s2s_c_1 += s2s_factor_values_5 * s2s_b_1;
                            s2s_c_1 += s2s_factor_values_6 * s2s_b_2;
                            s2s_c_1 += s2s_factor_values_7 * s2s_b_3;
                            c[(4 * s2s_i_tile + 1)*lc+j] = s2s_c_1;
                            s2s_c_2 = c[(4 * s2s_i_tile + 2)*lc+j];
                            s2s_c_2 += s2s_factor_values_8 * s2s_b_0;
                            s2s_c_2 += s2s_factor_values_9 * s2s_b_1;
                            s2s_c_2 += s2s_factor_values_10 * s2s_b_2;
                            s2s_c_2 += s2s_factor_values_11 * s2s_b_3;
                            c[(4 * s2s_i_tile + 2)*lc+j] = s2s_c_2;
                            s2s_c_3 = c[(4 * s2s_i_tile + 3)*lc+j];
                            s2s_c_3 += s2s_factor_values_12 * s2s_b_0;
                            s2s_c_3 += s2s_factor_values_13 * s2s_b_1;
                            s2s_c_3 += s2s_factor_values_14 * s2s_b_2;
                            s2s_c_3 += s2s_factor_values_15 * s2s_b_3;
                            c[(4 * s2s_i_tile + 3)*lc+j] = s2s_c_3;
                        }
                                }
                            for (int j = s2s_j_at; j < n; j++)
                                {
                            const float s2s_b_0 = b[(4 * s2s_k_tile)*lb+j];
                            float s2s_c_0 = c[(4 * s2s_i_tile)*lc+j];
                            float s2s_b_1, s2s_b_2, s2s_b_3, s2s_c_1, s2s_c_2, s2s_c_3;
                            s2s_c_0 += s2s_factor_values_0 * s2s_b_0;
                            s2s_b_1 = b[(4 * s2s_k_tile + 1)*lb+j];
                            s2s_c_0 += s2s_factor_values_1 * s2s_b_1;
                            s2s_b_2 = b[(4 * s2s_k_tile + 2)*lb+j];
                            s2s_c_0 += s2s_factor_values_2 * s2s_b_2;
                            s2s_b_3 = b[(4 * s2s_k_tile + 3)*lb+j];
                            s2s_c_0 += s2s_factor_values_3 * s2s_b_3;
                            c[(4 * s2s_i_tile)*lc+j] = s2s_c_0;
                            s2s_c_1 = c[(4 * s2s_i_tile + 1)*lc+j];
                            s2s_c_1 += s2s_factor_values_4 * s2s_b_0;
                            s2s_c_1 += s2s_factor_values_5 * s2s_b_1;
                            s2s_c_1 += s2s_factor_values_6 * s2s_b_2;
                            s2s_c_1 += s2s_factor_values_7 * s2s_b_3;
                            c[(4 * s2s_i_tile + 1)*lc+j] = s2s_c_1;
                            s2s_c_2 = c[(4 * s2s_i_tile + 2)*lc+j];
                            s2s_c_2 += s2s_factor_values_8 * s2s_b_0;
                            s2s_c_2 += s2s_factor_values_9 * s2s_b_1;
                            s2s_c_2 += s2s_factor_values_10 * s2s_b_2;
                            s2s_c_2 += s2s_factor_values_11 * s2s_b_3;
                            c[(4 * s2s_i_tile + 2)*lc+j] = s2s_c_2;
                            s2s_c_3 = c[(4 * s2s_i_tile + 3)*lc+j];
                            s2s_c_3 += s2s_factor_values_12 * s2s_b_0;
                            s2s_c_3 += s2s_factor_values_13 * s2s_b_1;
                            s2s_c_3 += s2s_factor_values_14 * s2s_b_2;
                            s2s_c_3 += s2s_factor_values_15 * s2s_b_3;
                            c[(4 * s2s_i_tile + 3)*lc+j] = s2s_c_3;
                        }
                        }
                    }
                }
            }
        } else {
    for (i = 0; i < rows; i++) {
        for (k = 0; k < depth; k++) {
            float factor = weight * a[i * la + k];
            for (j = 0; j < n; j++)
                c[i * lc + j] += factor * b[k * lb + j];
        }
    }
        }
    }
}

static float a[40 * 50], b[50 * 70], c[40 * 70];

int main(void)
{
    double sum = 0;
    for (int round = 0; round < 30; round++) {
        int rows = round % 11 + round / 3, depth = (7 * round) % 23 + 1, n = (5 * round) % 64;
        for (int x = 0; x < 40 * 50; x++) a[x] = (float)((x * 7 + round) % 31) / 8;
        for (int x = 0; x < 50 * 70; x++) b[x] = (float)((x * 5 + round) % 29) / 4;
        for (int x = 0; x < 40 * 70; x++) c[x] = (float)(x % 13);
        weigh(rows, depth, n, 0.37f, a, 50, b, 70, c, 70);
        for (int x = 0; x < 40 * 70; x++) sum = sum * 0.999 + c[x];
        // Rows that lie over each other: the source's loops, in their order.
        weigh(rows / 2, depth, n, 0.011f, c, 70, c + 60, 70, c + 3, 70);
        for (int x = 0; x < 40 * 70; x++) sum = sum * 0.999 + c[x];
    }
    printf("%.17g\n", sum);
    return 0;
}
