#include <stdio.h>
#define M 32
static double x[M];
#pragma omp threadprivate(x)
static double grid[40][M];
static void fill(int n, double *seed, double a, double y[])
{
    int i;
    double s, t, a1;
    t = 0.5 * a;
    a1 = (int)t;
    s = *seed;
    for (i = 1; i <= n; i++) {
        t = a1 * s + 0.3125;
        s = t - (int)t;
        y[i] = s * 0.5;
    }
    *seed = s;
}
static void step(double *s) { *s = *s * 0.75 + 0.125; }
/* Each thread's own array, filled in each iteration. */
static void count_pairs(int n)
{
    int total[4] = {0}, sum = 0;
#pragma omp parallel copyin(x)
    {
        int i, k, mine[4] = {0};
        double s;
{
            /* s2s: 8 iterations of 'k' run 'fill' as lanes */
            int s2s_from = 0;
            int s2s_ready = 0;
            double *s2s_rows = 0, *s2s_last = 0;
            const unsigned long s2s_row_size = sizeof x / sizeof *s2s_rows;
            double s2s_kept_s[8];
#pragma omp for reduction(+ : sum) schedule(static)
            for (k = 1; k <= n; k++) {
                if (!s2s_ready || k < s2s_from || k - s2s_from >= 8) {
                    s2s_ready = 0;
                    if ((unsigned long)(n) - (unsigned long)k >= 7) {
                        int s2s_fill_n_all = M;
                        double s2s_fill_a_all = 5.5;
                        const long s2s_extent = (long)s2s_fill_n_all - (long)1 + 1;
                        if (s2s_extent >= 16 && s2s_row_size <= 4 * (unsigned long)s2s_extent && !s2s_rows) {
                            s2s_rows = (double *)__builtin_malloc(8 * sizeof x);
                            if (s2s_rows)
                                for (int s2s_fill_l = 0; s2s_fill_l < 8; s2s_fill_l++)
                                    __builtin_memcpy(s2s_rows + s2s_fill_l * s2s_row_size, x,
                                                     sizeof x);
                        }
                        if (s2s_extent >= 16 && s2s_rows) {
                            double s2s_fill_seed[8];
                            double *s2s_fill_y[8];
                            const int s2s_first = k;
                            for (int s2s_fill_l = 0; s2s_fill_l < 8; s2s_fill_l++) {
                                const int k = s2s_first + s2s_fill_l;
                                (void)k;
                                s = k * 0.0625;
                                for (i = 0; i < k % 4; i++) step(&s);
                                s2s_fill_seed[s2s_fill_l] = s;
                                s2s_fill_y[s2s_fill_l] = s2s_rows
                                                         + s2s_fill_l * s2s_row_size
                                                         + ((x - 1) - x);
                            }
                            double s2s_fill_s[8];
                            double s2s_fill_t_all;
                            double s2s_fill_a1_all;
                            int s2s_fill_i_all;
                            s2s_fill_t_all = (0.5 * s2s_fill_a_all);
                            s2s_fill_a1_all = (int)s2s_fill_t_all;
                            for (int s2s_fill_l = 0; s2s_fill_l < 8; s2s_fill_l++) {
                                s2s_fill_s[s2s_fill_l] = s2s_fill_seed[s2s_fill_l];
                            }
                            s2s_fill_i_all = 1;
                            while ((s2s_fill_i_all <= s2s_fill_n_all)) {
                                double s2s_fill_kept0[8];
                                for (int s2s_fill_l = 0; s2s_fill_l < 8; s2s_fill_l++) {
                                    double s2s_fill_t;
                                    s2s_fill_t = ((s2s_fill_a1_all * s2s_fill_s[s2s_fill_l])
                                                  + 0.3125);
                                    s2s_fill_s[s2s_fill_l] = (s2s_fill_t - (int)s2s_fill_t);
                                    s2s_fill_kept0[s2s_fill_l] = (s2s_fill_s[s2s_fill_l] * 0.5);
                                }
                                for (int s2s_fill_l = 0; s2s_fill_l < 8; s2s_fill_l++)
                                    s2s_fill_y[s2s_fill_l][s2s_fill_i_all] =
                                            s2s_fill_kept0[s2s_fill_l];
                                s2s_fill_i_all += 1;
                            }
                            for (int s2s_fill_l = 0; s2s_fill_l < 8; s2s_fill_l++) {
                                s2s_fill_seed[s2s_fill_l] = s2s_fill_s[s2s_fill_l];
                            }
                            for (int s2s_fill_l = 0; s2s_fill_l < 8; s2s_fill_l++)
                                s2s_kept_s[s2s_fill_l] = s2s_fill_seed[s2s_fill_l];
                            s2s_from = k;
                            s2s_ready = 1;
                        }
                    }
                }
                if (s2s_ready) {
                    const int s2s_at = (int)(k - s2s_from);
                    s = s2s_kept_s[s2s_at];
                    double *const s2s_row = s2s_rows + s2s_at * s2s_row_size;
                    {
            for (i = 0; i < M; i++) {
                double v = s2s_row[i] * 8;
                if (v < 3.5) mine[(int)v & 3] += 1;
            }
            sum += (int)(s * 1024);
        }
                    s2s_last = s2s_row;
                } else {
                    {
            s = k * 0.0625;
            for (i = 0; i < k % 4; i++) step(&s);
            fill(M, &s, 5.5, x - 1);
            for (i = 0; i < M; i++) {
                double v = x[i] * 8;
                if (v < 3.5) mine[(int)v & 3] += 1;
            }
            sum += (int)(s * 1024);
        }
                    s2s_last = 0;
                }
            }
            if (s2s_last) __builtin_memcpy(x, s2s_last, sizeof x);
            __builtin_free(s2s_rows);
            (void)k;
        }
#pragma omp critical
        for (i = 0; i < 4; i++) total[i] += mine[i];
#pragma omp single nowait
        sum += (int)(x[0] * 0);
    }
    printf("%d %d %d %d %d\n", sum, total[0], total[1], total[2], total[3]);
}
/* Seeds that go on from one head to the next. */
static double in_turn(int n)
{
    static double row[M + 1];
    double s, start = 0.25, sum = 0;
    {
        /* s2s: 8 iterations of 'k' run 'fill' as lanes */
        int s2s_from = 0;
        int s2s_ready = 0;
        double *s2s_rows = 0, *s2s_last = 0;
        const unsigned long s2s_row_size = sizeof row / sizeof *s2s_rows;
        for (int k = 0; k < n; k++) {
            if (!s2s_ready || k < s2s_from || k - s2s_from >= 8) {
                s2s_ready = 0;
                if ((unsigned long)(n) - (unsigned long)k > 7) {
                    int s2s_fill_n_all = M;
                    double s2s_fill_a_all = 4.5;
                    const long s2s_extent = (long)s2s_fill_n_all - (long)1 + 1;
                    if (s2s_extent >= 16 && s2s_row_size <= 4 * (unsigned long)s2s_extent && !s2s_rows) {
                        s2s_rows = (double *)__builtin_malloc(8 * sizeof row);
                        if (s2s_rows)
                            for (int s2s_fill_l = 0; s2s_fill_l < 8; s2s_fill_l++)
                                __builtin_memcpy(s2s_rows + s2s_fill_l * s2s_row_size, row,
                                                 sizeof row);
                    }
                    if (s2s_extent >= 16 && s2s_rows) {
                        double s2s_fill_seed[8];
                        double *s2s_fill_y[8];
                        const int s2s_first = k;
                        for (int s2s_fill_l = 0; s2s_fill_l < 8; s2s_fill_l++) {
                            const int k = s2s_first + s2s_fill_l;
                            (void)k;
                            s = start;
                            s2s_fill_seed[s2s_fill_l] = s;
                            s2s_fill_y[s2s_fill_l] = s2s_rows
                                                     + s2s_fill_l * s2s_row_size
                                                     + ((row) - row);
                            if (k != n) step(&start);
                        }
                        double s2s_fill_s[8];
                        double s2s_fill_t_all;
                        double s2s_fill_a1_all;
                        int s2s_fill_i_all;
                        s2s_fill_t_all = (0.5 * s2s_fill_a_all);
                        s2s_fill_a1_all = (int)s2s_fill_t_all;
#pragma omp simd
                        for (int s2s_fill_l = 0; s2s_fill_l < 8; s2s_fill_l++) {
                            s2s_fill_s[s2s_fill_l] = s2s_fill_seed[s2s_fill_l];
                        }
                        s2s_fill_i_all = 1;
                        while ((s2s_fill_i_all <= s2s_fill_n_all)) {
                            double s2s_fill_kept0[8];
#pragma omp simd
                            for (int s2s_fill_l = 0; s2s_fill_l < 8; s2s_fill_l++) {
                                double s2s_fill_t;
                                s2s_fill_t = ((s2s_fill_a1_all * s2s_fill_s[s2s_fill_l])
                                              + 0.3125);
                                s2s_fill_s[s2s_fill_l] = (s2s_fill_t - (int)s2s_fill_t);
                                s2s_fill_kept0[s2s_fill_l] = (s2s_fill_s[s2s_fill_l] * 0.5);
                            }
                            for (int s2s_fill_l = 0; s2s_fill_l < 8; s2s_fill_l++)
                                s2s_fill_y[s2s_fill_l][s2s_fill_i_all] =
                                        s2s_fill_kept0[s2s_fill_l];
                            s2s_fill_i_all += 1;
                        }
#pragma omp simd
                        for (int s2s_fill_l = 0; s2s_fill_l < 8; s2s_fill_l++) {
                            s2s_fill_seed[s2s_fill_l] = s2s_fill_s[s2s_fill_l];
                        }
                        s2s_from = k;
                        s2s_ready = 1;
                    }
                }
            }
            if (s2s_ready) {
                const int s2s_at = (int)(k - s2s_from);
                double *const s2s_row = s2s_rows + s2s_at * s2s_row_size;
                {
        for (int i = 1; i <= M; i++) sum = sum * 0.5 + s2s_row[i];
    }
                s2s_last = s2s_row;
            } else {
                {
        s = start;
        fill(M, &s, 4.5, row);
        for (int i = 1; i <= M; i++) sum = sum * 0.5 + row[i];
        if (k != n) step(&start);
    }
                s2s_last = 0;
            }
        }
        if (s2s_last) __builtin_memcpy(row, s2s_last, sizeof row);
        __builtin_free(s2s_rows);
    }
    return sum + row[3] + start;
}
/* A row for each iteration. */
static void fill_grid(int n, double *(*rows))
{
    double s = 0.125, start = 0.5;
    {
        /* s2s: 8 iterations of 'k' run 'fill' as lanes */
        int s2s_from = 0;
        int s2s_ready = 0;
        double s2s_kept_s[8];
        for (int k = 0; k < n; k++) {
            if (!s2s_ready || k < s2s_from || k - s2s_from >= 8) {
                s2s_ready = 0;
                if ((unsigned long)(n) - (unsigned long)k > 7) {
                    int s2s_fill_n_all = M - 1;
                    double s2s_fill_a_all = 6.5;
                    const long s2s_extent = (long)s2s_fill_n_all - (long)1 + 1;
                    if (s2s_extent >= 16) {
                        double s2s_fill_seed[8];
                        double *s2s_fill_y[8];
                        const int s2s_first = k;
                        for (int s2s_fill_l = 0; s2s_fill_l < 8; s2s_fill_l++) {
                            const int k = s2s_first + s2s_fill_l;
                            (void)k;
                            s = start;
                            s2s_fill_seed[s2s_fill_l] = s;
                            s2s_fill_y[s2s_fill_l] = &(rows[k][0]);
                            step(&start);
                        }
                        int s2s_apart = 1;
                        for (int s2s_fill_l = 1; s2s_fill_l < 8; s2s_fill_l++)
                                s2s_apart &= (unsigned long)s2s_fill_y[s2s_fill_l]
                                             - (unsigned long)s2s_fill_y[
                                                   s2s_fill_l - 1]
                                             - (unsigned long)s2s_extent
                                               * sizeof *s2s_fill_y[0] <= ~0UL / 16;
                        if (s2s_apart) {
                            double s2s_fill_s[8];
                            double s2s_fill_t_all;
                            double s2s_fill_a1_all;
                            int s2s_fill_i_all;
                            s2s_fill_t_all = (0.5 * s2s_fill_a_all);
                            s2s_fill_a1_all = (int)s2s_fill_t_all;
#pragma omp simd
                            for (int s2s_fill_l = 0; s2s_fill_l < 8; s2s_fill_l++) {
                                s2s_fill_s[s2s_fill_l] = s2s_fill_seed[s2s_fill_l];
                            }
                            s2s_fill_i_all = 1;
                            while ((s2s_fill_i_all <= s2s_fill_n_all)) {
                                double s2s_fill_kept0[8];
#pragma omp simd
                                for (int s2s_fill_l = 0; s2s_fill_l < 8; s2s_fill_l++) {
                                    double s2s_fill_t;
                                    s2s_fill_t = ((s2s_fill_a1_all * s2s_fill_s[s2s_fill_l])
                                                  + 0.3125);
                                    s2s_fill_s[s2s_fill_l] = (s2s_fill_t - (int)s2s_fill_t);
                                    s2s_fill_kept0[s2s_fill_l] = (s2s_fill_s[s2s_fill_l] * 0.5);
                                }
                                for (int s2s_fill_l = 0; s2s_fill_l < 8; s2s_fill_l++)
                                    s2s_fill_y[s2s_fill_l][s2s_fill_i_all] =
                                            s2s_fill_kept0[s2s_fill_l];
                                s2s_fill_i_all += 1;
                            }
#pragma omp simd
                            for (int s2s_fill_l = 0; s2s_fill_l < 8; s2s_fill_l++) {
                                s2s_fill_seed[s2s_fill_l] = s2s_fill_s[s2s_fill_l];
                            }
                        } else
                        for (int s2s_fill_l = 0; s2s_fill_l < 8; s2s_fill_l++)
                            fill(s2s_fill_n_all, &s2s_fill_seed[s2s_fill_l],
                                 s2s_fill_a_all, s2s_fill_y[s2s_fill_l]);
                        for (int s2s_fill_l = 0; s2s_fill_l < 8; s2s_fill_l++)
                            s2s_kept_s[s2s_fill_l] = s2s_fill_seed[s2s_fill_l];
                        s2s_from = k;
                        s2s_ready = 1;
                    }
                }
            }
            if (s2s_ready) {
                const int s2s_at = (int)(k - s2s_from);
                s = s2s_kept_s[s2s_at];
                {
    }
            } else {
                {
        s = start;
        fill(M - 1, &s, 6.5, &(rows[k][0]));
        step(&start);
    }
            }
        }
    }
    printf("%a\n", s);
}
int main(void)
{
    double *rows[40];
    int sizes[] = {0, 1, 7, 8, 9, 16, 39};
    for (int i = 0; i < 7; i++) {
        int n = sizes[i];
        for (int k = 0; k < 40; k++) rows[k] = grid[i % 2 ? k : k / 2];
        count_pairs(n);
        printf("%a\n", in_turn(n));
        fill_grid(n, rows);
        double sum = 0;
        for (int k = 0; k < 40; k++)
            for (int j = 0; j < M; j++) sum = sum * 0.5 + grid[k][j];
        printf("%a\n", sum);
    }
    return 0;
}
