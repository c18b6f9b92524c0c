// Work arrays that each iteration of the loops around fills anew: lines with copies of them.
#include <stdio.h>
enum { N = 20 };
static int size[3];
static double left[3][N][N][N], speed[N][N][N], w_copy[N][N][N], w[N], v[2][N + 1];
#define MOST(a, b) ((a) > (b) ? (a) : (b))
static void across(void)
{
    double ru;
    int i, j, k;
    {
        /* s2s: shared 'j' in place of 2 loops inside, with copies of 'v' and 'w' */
#pragma omp barrier
        if (/* sizes for which this is right */
            size[1] >= 3 && size[1] <= 21 && size[2] >= 3 && size[2] <= 21 && size[0] >= 1
            && size[0] <= 20) {
#pragma omp for
            for (long s2s_j_line = 1; s2s_j_line <= size[1] - 2; s2s_j_line++) {
                for (long s2s_k_strip = 0; s2s_k_strip <= 0; s2s_k_strip++) {
                    double s2s_v_copy[2][21][64] __attribute__((aligned(64)));
                    double s2s_w_copy_[20][64] __attribute__((aligned(64)));
                    {
                        const int j = (int)s2s_j_line;
                        if (0 < size[0]) {
                            const int s2s_i_last = size[0];
                            for (int i = 0; i < s2s_i_last; i++) {
                                if (1 < size[2] - 1) {
                                    const int s2s_k_last = size[2] - 1;
#pragma omp simd
                                    for (int k = 1; k < s2s_k_last; k++) {
                                        double ru;
                                        ru = 1.5 * w_copy[i][j][k];
                                        s2s_w_copy_[i][k - 64 * s2s_k_strip] = speed[i][j][k];
                                        s2s_v_copy[1][i + 1][k - 64 * s2s_k_strip] = MOST(0.25 + ru, 2 - ru);
                                    }
                                }
                            }
                        }
                    }
                    {
                        const int j = (int)s2s_j_line;
                        if (1 < size[0] - 1) {
                            const int s2s_i_last = size[0] - 1;
                            for (int i = 1; i < s2s_i_last; i++) {
                                if (1 < size[2] - 1) {
                                    const int s2s_k_last = size[2] - 1;
#pragma omp simd
                                    for (int k = 1; k < s2s_k_last; k++) {
                                        left[0][i][j][k] =
                                                -s2s_w_copy_[i - 1][k - 64 * s2s_k_strip]
                                                - 0.5 * s2s_v_copy[1][i][k - 64 * s2s_k_strip];
                                        left[1][i][j][k] +=
                                                1.0 + s2s_v_copy[1][i + 1][k - 64 * s2s_k_strip];
                                        left[2][i][j][k] =
                                                s2s_w_copy_[i + 1][k - 64 * s2s_k_strip]
                                                - s2s_v_copy[1][i + 2][k - 64 * s2s_k_strip]
                                                + s2s_w_copy_[i][k - 64 * s2s_k_strip];
                                    }
                                }
                            }
                        }
                    }
                    if (size[1] == s2s_j_line + 2) {
                        const int j = (int)s2s_j_line;
                        const int k = size[2] - 2;
                        if (0 < size[0]) {
                            const int s2s_i_last = size[0];
                            for (int i = 0; i < s2s_i_last; i++) {
                                w[i] = s2s_w_copy_[i][k - 64 * s2s_k_strip];
                                v[1][i + 1] = s2s_v_copy[1][i + 1][k - 64 * s2s_k_strip];
                            }
                        }
                    }
                }
            }
        } else {
    for (j = 1; j <= size[1] - 2; j++)
        for (k = 1; k <= size[2] - 2; k++) {
#pragma omp for
            for (i = 0; i <= size[0] - 1; i++) {
                ru = 1.5 * w_copy[i][j][k];
                w[i] = speed[i][j][k];
                v[1][i + 1] = MOST(0.25 + ru, 2 - ru);
            }
#pragma omp for
            for (i = 1; i <= size[0] - 2; i++) {
                left[0][i][j][k] = -w[i - 1] - 0.5 * v[1][i];
                left[1][i][j][k] += 1.0 + v[1][i + 1];
                left[2][i][j][k] = w[i + 1] - v[1][i + 2] + w[i];
            }
        }
        }
    }
}
static void along(void)
{
    int i, j, k;
    {
        /* s2s: shared 'i' in place of 3 loops inside, with copies of 'w' */
#pragma omp barrier
        if (/* sizes for which this is right */
            size[0] >= 1 && size[0] <= 20 && size[1] >= 1 && size[1] <= 20 && size[2] >= 1
            && size[2] <= 20) {
#pragma omp for
            for (long s2s_i_line = 1L - size[0]; s2s_i_line <= 0; s2s_i_line++) {
                double s2s_w_copy[20] __attribute__((aligned(64)));
                {
                    const int i = (int)(-s2s_i_line);
                    if (0 < size[1]) {
                        const int s2s_j_last = size[1];
                        for (int j = 0; j < s2s_j_last; j++) {
                            if (0 < size[2]) {
                                const int s2s_k_last = size[2];
                                for (int k = 0; k < s2s_k_last; k++) {
                                    s2s_w_copy[k] = speed[i][j][k] * 3 - left[0][i][j][k];
                                }
                            }
                            if (1 < size[2]) {
                                const int s2s_k_last = size[2];
                                for (int k = 1; k < s2s_k_last; k++) {
                                    left[1][i][j][k] -= s2s_w_copy[k - 1] * s2s_w_copy[k];
                                }
                            }
                            if (1 < size[2]) {
                                const int s2s_k_last = size[2];
                                for (int k = 1; k < s2s_k_last; k++) {
                                    left[2][i][j][k] = s2s_w_copy[k] / 2;
                                }
                            }
                        }
                    }
                }
                if (s2s_i_line == 0) {
                    const int i = 0;
                    const int j = size[1] - 1;
                    if (0 < size[2]) {
                        const int s2s_k_last = size[2];
                        for (int k = 0; k < s2s_k_last; k++) {
                            w[k] = s2s_w_copy[k];
                        }
                    }
                }
            }
        } else {
    for (i = size[0] - 1; i >= 0; i--) {
        for (j = 0; j < size[1]; j++) {
#pragma omp for
            for (k = 0; k < size[2]; k++)
                w[k] = speed[i][j][k] * 3 - left[0][i][j][k];
#pragma omp for
            for (k = 1; k < size[2]; k++)
                left[1][i][j][k] -= w[k - 1] * w[k];
#pragma omp for
            for (k = 1; k < size[2]; k++)
                left[2][i][j][k] = w[k] / 2;
        }
    }
        }
    }
}
static void carried(void)
{
    int i, k;
    for (i = 0; i < size[0]; i++) {
#pragma omp for
        for (k = 1; k < size[2]; k++)
            left[0][i][1][k] = w[k - 1];
#pragma omp for
        for (k = 0; k < size[2]; k++)
            w[k] = 0.5 * speed[i][1][k];
    }
}
static void partly(void)
{
    int i, k;
    for (i = 0; i < size[0]; i++) {
#pragma omp for
        for (k = 1; k < size[2]; k++)
            w[k] = 0.5 * speed[i][2][k];
#pragma omp for
        for (k = 1; k < size[2]; k++)
            left[0][i][2][k] += w[k - 1];
    }
}
static void depend(void)
{
    int i, k;
    for (i = 1; i < size[0]; i++) {
#pragma omp for
        for (k = 0; k < size[2]; k++)
            w[k] = 0.5 * left[1][i - 1][3][k];
#pragma omp for
        for (k = 1; k < size[2]; k++)
            left[1][i][3][k] = w[k - 1];
    }
}
static void shorter(void)
{
    int i, k;
    {
        /* s2s: shared 'i' in place of 2 loops inside, with copies of 'w' */
#pragma omp barrier
        if (size[0] >= 1 && size[2] >= 1 && size[2] <= 20) {
#pragma omp for
            for (long s2s_i_line = 0;
                 s2s_i_line <= (size[2] >= (long)size[0] + 1 ? size[0] - 1 : size[2] - 1);
                 s2s_i_line++) {
                double s2s_w_copy[20] __attribute__((aligned(64)));
                {
                    const int i = (int)s2s_i_line;
                    if (s2s_i_line < size[2]) {
                        const int s2s_k_last = size[2];
                        for (int k = (int)s2s_i_line; k < s2s_k_last; k++) {
                            s2s_w_copy[k] = speed[i][4][k] + i;
                        }
                    }
                }
                {
                    const int i = (int)s2s_i_line;
                    if (s2s_i_line < size[2]) {
                        const int s2s_k_last = size[2];
                        for (int k = (int)s2s_i_line; k < s2s_k_last; k++) {
                            left[1][i][4][k] = s2s_w_copy[k];
                        }
                    }
                }
                {
                    const int i = (int)s2s_i_line; (void)i;
                    const int k = (int)s2s_i_line;
                    w[k] = s2s_w_copy[k];
                }
                if (size[0] == s2s_i_line + 1) {
                    const int i = (int)s2s_i_line;
                    if (s2s_i_line + 1 < size[2]) {
                        const int s2s_k_last = size[2];
                        for (int k = (int)(s2s_i_line + 1); k < s2s_k_last; k++) {
                            w[k] = s2s_w_copy[k];
                        }
                    }
                }
            }
        } else {
    for (i = 0; i < size[0]; i++) {
#pragma omp for
        for (k = i; k < size[2]; k++)  // the first iteration leaves elements that no later one sets
            w[k] = speed[i][4][k] + i;
#pragma omp for
        for (k = i; k < size[2]; k++)
            left[1][i][4][k] = w[k];
    }
        }
    }
}
int main(void)
{
    double sum = 0;
    for (int k = 0; k < N * N * N; k++) {
        speed[k / N / N][k / N % N][k % N] = (k * 7 % 31) / 64.0;
        w_copy[k / N / N][k / N % N][k % N] = (k * 11 % 13) / 16.0;
    }
    for (int t = 0; t < 4; t++) {
        size[0] = t == 2 ? 1 : N - t;
        size[1] = t == 1 ? 3 : N;
        size[2] = t == 3 ? 1 : N - 2 * t;
#pragma omp parallel
        {
            across();
            along();
            carried();
            partly();
            depend();
            shorter();
        }
        for (int k = 0; k < N; k++)
            sum = sum * 0.75 + w[k] + v[1][k];
    }
    for (int k = 0; k < 3 * N * N * N; k++)
        sum = sum * 0.99 + (&left[0][0][0][0])[k];
    printf("%.17g\n", sum);
    return 0;
}
