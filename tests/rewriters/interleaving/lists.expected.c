#include <math.h>
#include <stdio.h>
#define M 300
static double x[M];
#pragma omp threadprivate(x)
static void fill(int n, double *seed, double a, double y[])
{
    double s, t, a1;
    t = 0.5 * a;
    a1 = (int)t;
    s = *seed;
    for (int i = 1; i <= n; i++) {
        t = a1 * s + 0.3125;
        s = t - (int)t;
        y[i] = s;
    }
    *seed = s;
}
static void step(double *s) { *s = *s * 0.75 + 0.125; }
/* Pairs of numbers of a recurrence in lanes are accepted by lists; a variable is a seed, too. */
static double pairs(int n, double *total)
{
    double sum = 0;
#pragma omp parallel copyin(x)
    {
        int i, k, l;
        double s, t, u, v, w, mine[4] __attribute__((aligned(64))) = {0};
{
            /* s2s: 8 iterations of 'k' run 'fill' as lanes */
            int s2s_from = 0;
            int s2s_ready = 0;
            double *s2s_rows = 0, *s2s_last = 0;
            const unsigned long s2s_row_size = sizeof x / sizeof *s2s_rows;
#pragma omp for reduction(+ : sum) schedule(static)
            for (k = 1; k <= n; k++) {
                if (!s2s_ready || k < s2s_from || k - s2s_from >= 8) {
                    s2s_ready = 0;
                    if ((unsigned long)(n) - (unsigned long)k >= 7) {
                        int s2s_fill_n_all = M;
                        double s2s_fill_a_all = 7.5;
                        const long s2s_extent = (long)s2s_fill_n_all - (long)1 + 1;
                        if (s2s_extent >= 16 && s2s_row_size <= 4 * (unsigned long)s2s_extent && !s2s_rows) {
                            s2s_rows = (double *)__builtin_malloc(8 * sizeof x);
                            if (s2s_rows) for (int s2s_fill_l = 0; s2s_fill_l < 8; s2s_fill_l++)
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
                                s2s_fill_y[s2s_fill_l] = s2s_rows + s2s_fill_l * s2s_row_size
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
                                    s2s_fill_kept0[s2s_fill_l] = s2s_fill_s[s2s_fill_l];
                                }
                                for (int s2s_fill_l = 0; s2s_fill_l < 8; s2s_fill_l++)
                                    s2s_fill_y[s2s_fill_l][s2s_fill_i_all] =
                                            s2s_fill_kept0[s2s_fill_l];
                                s2s_fill_i_all += 1;
                            }
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
            double part = 0.0;
            {
                /* s2s: iterations that the condition picks, as a list */
                int s2s2_i_list[256];
                double s2s2_s_of[256];
                double s2s2_u_of[256];
                double s2s2_v_of[256];
                double s2s2_t_of[256];
                int s2s2_l_of[256];
                double s2s2_w_of[256];
                double s2s2_s_all[64];
                double s2s2_u_all[64];
                double s2s2_v_all[64];
                long long s2s2_picked[64];
                int s2s2_listed, s2s2_few = 1;
                unsigned long long s2s2_seen;
                int s2s2_wait0 = 0;
                i = 0;
                if ((i < M / 2) && !((unsigned long)(M / 2) - (unsigned long)i > 15))
                    s2s2_few = 0;
                while (s2s2_few && (i < M / 2)) {
                    s2s2_listed = 0;
                    s2s2_seen = 0;
                    while (s2s2_listed < 192 && (i < M / 2)) {
                        const unsigned long s2s2_left = (unsigned long)(M / 2) - (unsigned long)i;
                        const int s2s2_some = s2s2_left < 64 ? (int)s2s2_left : 64;
                        const int s2s2_at = i;
                        for (int s2s2_l = 0; s2s2_l < s2s2_some; s2s2_l++) {
                            const int i = s2s2_at + s2s2_l;
                            double s;
                            double u;
                            double v;
                            u = 2.0 * s2s_row[2 * i] - 1.0;
                            v = 2.0 * s2s_row[2 * i + 1] - 1.0;
                            s = u * u + v * v;
                            s2s2_picked[s2s2_l] = (s <= 1.0);
                            s2s2_s_all[s2s2_l] = s;
                            s2s2_u_all[s2s2_l] = u;
                            s2s2_v_all[s2s2_l] = v;
                        }
                        const int s2s2_before = s2s2_listed;
                        for (int s2s2_l = 0; s2s2_l < s2s2_some; s2s2_l++) {
                            s2s2_i_list[s2s2_listed] = s2s2_at + s2s2_l;
                            s2s2_listed += s2s2_picked[s2s2_l];
                        }
                        for (int s2s2_h = s2s2_before; s2s2_h < s2s2_listed; s2s2_h++) {
                            s2s2_s_of[s2s2_h] = s2s2_s_all[s2s2_i_list[s2s2_h] - s2s2_at];
                            s2s2_u_of[s2s2_h] = s2s2_u_all[s2s2_i_list[s2s2_h] - s2s2_at];
                            s2s2_v_of[s2s2_h] = s2s2_v_all[s2s2_i_list[s2s2_h] - s2s2_at];
                        }
                        s2s2_seen += s2s2_some;
                        i += s2s2_some;
                    }
                    for (int s2s2_h = 0; s2s2_h < s2s2_listed; s2s2_h++) {
                        double s = s2s2_s_of[s2s2_h];
                        double t;
                        t = sqrt(-2.0 * log(s + 0.0009765625) / (s + 0.0009765625));
                        s2s2_t_of[s2s2_h] = t;
                    }
                    for (int s2s2_h = 0; s2s2_h < s2s2_listed; s2s2_h++) {
                        double t = s2s2_t_of[s2s2_h];
                        double u = s2s2_u_of[s2s2_h];
                        double v = s2s2_v_of[s2s2_h];
                        int l;
                        double w;
                        u *= t;
                        w = v * t;
                        l = fabs(u) > fabs(w) ? fabs(u) : fabs(w);
                        s2s2_l_of[s2s2_h] = l;
                        s2s2_w_of[s2s2_h] = w;
                    }
                    for (int s2s2_h = 0; s2s2_h < s2s2_listed; s2s2_h++) {
                        l = s2s2_l_of[s2s2_h];
                        w = s2s2_w_of[s2s2_h];
                        mine[l & 3] += 1;
                        part = part * 0.5 + w;
                    }
                    if (s2s2_seen >= 16 && s2s2_listed <= s2s2_seen - s2s2_seen / 8) {
                        s2s2_wait0 = 0;
                    } else if (--s2s2_wait0 <= -2) {
                        s2s2_few = 0;
                        s2s2_wait0 = 63;
                    }
                }
                for (; i < M / 2; i++)
                    {
                        u = 2.0 * s2s_row[2 * i] - 1.0;
                        v = 2.0 * s2s_row[2 * i + 1] - 1.0;
                        s = u * u + v * v;
                        if (s <= 1.0) {
                            t = sqrt(-2.0 * log(s + 0.0009765625) / (s + 0.0009765625));
                            u *= t;
                            w = v * t;
                            l = fabs(u) > fabs(w) ? fabs(u) : fabs(w);
                            mine[l & 3] += 1;
                            part = part * 0.5 + w;
                        }
                    }
            }
            sum += (int)(part * 1024);
        }
                    s2s_last = s2s_row;
                } else {
                    {
            s = k * 0.0625;
            for (i = 0; i < k % 4; i++) step(&s);
            fill(M, &s, 7.5, x - 1);
            double part = 0.0;
            for (i = 0; i < M / 2; i++) {
                u = 2.0 * x[2 * i] - 1.0;
                v = 2.0 * x[2 * i + 1] - 1.0;
                s = u * u + v * v;
                if (s <= 1.0) {
                    t = sqrt(-2.0 * log(s + 0.0009765625) / (s + 0.0009765625));
                    u *= t;
                    w = v * t;
                    l = fabs(u) > fabs(w) ? fabs(u) : fabs(w);
                    mine[l & 3] += 1;
                    part = part * 0.5 + w;
                }
            }
            sum += (int)(part * 1024);
        }
                    s2s_last = 0;
                }
            }
            if (s2s_last) __builtin_memcpy(x, s2s_last, sizeof x);
            __builtin_free(s2s_rows);
            (void)k;
            (void)l;
            (void)s;
            (void)t;
            (void)u;
            (void)v;
            (void)w;
        }
#pragma omp critical
        for (i = 0; i < 4; i++) total[i] += mine[i];
    }
    return sum;
}
/* In one thread, with a row of its own for the list's judgement. */
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
        int s2s3_wait1 = 0;
        for (int k = 0; k < n; k++) {
            if (!s2s_ready || k < s2s_from || k - s2s_from >= 8) {
                s2s_ready = 0;
                if ((unsigned long)(n) - (unsigned long)k > 7) {
                    int s2s_fill_n_all = M;
                    double s2s_fill_a_all = 9.5;
                    const long s2s_extent = (long)s2s_fill_n_all - (long)1 + 1;
                    if (s2s_extent >= 16 && s2s_row_size <= 4 * (unsigned long)s2s_extent && !s2s_rows) {
                        s2s_rows = (double *)__builtin_malloc(8 * sizeof row);
                        if (s2s_rows) for (int s2s_fill_l = 0; s2s_fill_l < 8; s2s_fill_l++)
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
                            s2s_fill_y[s2s_fill_l] = s2s_rows + s2s_fill_l * s2s_row_size
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
                                s2s_fill_kept0[s2s_fill_l] = s2s_fill_s[s2s_fill_l];
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
        {
            /* s2s: iterations that the condition picks, as a list */
            int s2s3_i_list[256];
            long long s2s3_picked[64];
            int s2s3_listed, s2s3_few = 1;
            unsigned long long s2s3_seen;
            if (s2s3_wait1 > 0) {
                s2s3_few = 0;
                if (!--s2s3_wait1)
                    s2s3_wait1 = -1;
            }
            int i = 1;
            if ((i <= M) && !((unsigned long)(M) - (unsigned long)i >= 15))
                s2s3_few = 0;
            while (s2s3_few && (i <= M)) {
                s2s3_listed = 0;
                s2s3_seen = 0;
                while (s2s3_listed < 192 && (i <= M)) {
                    const unsigned long s2s3_left = (unsigned long)(M) - (unsigned long)i + 1;
                    const int s2s3_some = s2s3_left < 64 ? (int)s2s3_left : 64;
                    const int s2s3_at = i;
                    for (int s2s3_l = 0; s2s3_l < s2s3_some; s2s3_l++) {
                        const int i = s2s3_at + s2s3_l;
                        const double d = s2s_row[i] - 0.5, r = d * d + 0.25 * d;
                        s2s3_picked[s2s3_l] = (r < 0.0625);
                    }
                    for (int s2s3_l = 0; s2s3_l < s2s3_some; s2s3_l++) {
                        s2s3_i_list[s2s3_listed] = s2s3_at + s2s3_l;
                        s2s3_listed += s2s3_picked[s2s3_l];
                    }
                    s2s3_seen += s2s3_some;
                    i += s2s3_some;
                }
                for (int s2s3_h = 0; s2s3_h < s2s3_listed; s2s3_h++) {
                    const int i = s2s3_i_list[s2s3_h];
                    {
                        const double d = s2s_row[i] - 0.5, r = d * d + 0.25 * d;
                        if (r < 0.0625) {
                            double e = exp(-r) / (1.0 + r);
                            sum = e > 0.96875 ? sum * 0.5 : sum + e;
                        }
                    }
                }
                if (s2s3_seen >= 16 && s2s3_listed <= s2s3_seen - s2s3_seen / 8) {
                    s2s3_wait1 = 0;
                } else if (--s2s3_wait1 <= -2) {
                    s2s3_few = 0;
                    s2s3_wait1 = 63;
                }
            }
            for (; i <= M; i++)
                {
                    const double d = s2s_row[i] - 0.5, r = d * d + 0.25 * d;
                    if (r < 0.0625) {
                        double e = exp(-r) / (1.0 + r);
                        sum = e > 0.96875 ? sum * 0.5 : sum + e;
                    }
                }
        }
    }
                s2s_last = s2s_row;
            } else {
                {
        s = start;
        fill(M, &s, 9.5, row);
        {
            /* s2s: iterations that the condition picks, as a list */
            int s2s3_i_list[256];
            long long s2s3_picked[64];
            int s2s3_listed, s2s3_few = 1;
            unsigned long long s2s3_seen;
            int s2s3_wait2 = 0;
            int i = 1;
            if ((i <= M) && !((unsigned long)(M) - (unsigned long)i >= 15))
                s2s3_few = 0;
            while (s2s3_few && (i <= M)) {
                s2s3_listed = 0;
                s2s3_seen = 0;
                while (s2s3_listed < 192 && (i <= M)) {
                    const unsigned long s2s3_left = (unsigned long)(M) - (unsigned long)i + 1;
                    const int s2s3_some = s2s3_left < 64 ? (int)s2s3_left : 64;
                    const int s2s3_at = i;
                    for (int s2s3_l = 0; s2s3_l < s2s3_some; s2s3_l++) {
                        const int i = s2s3_at + s2s3_l;
                        const double d = row[i] - 0.5, r = d * d + 0.25 * d;
                        s2s3_picked[s2s3_l] = (r < 0.0625);
                    }
                    for (int s2s3_l = 0; s2s3_l < s2s3_some; s2s3_l++) {
                        s2s3_i_list[s2s3_listed] = s2s3_at + s2s3_l;
                        s2s3_listed += s2s3_picked[s2s3_l];
                    }
                    s2s3_seen += s2s3_some;
                    i += s2s3_some;
                }
                for (int s2s3_h = 0; s2s3_h < s2s3_listed; s2s3_h++) {
                    const int i = s2s3_i_list[s2s3_h];
                    {
                        const double d = row[i] - 0.5, r = d * d + 0.25 * d;
                        if (r < 0.0625) {
                            double e = exp(-r) / (1.0 + r);
                            sum = e > 0.96875 ? sum * 0.5 : sum + e;
                        }
                    }
                }
                if (s2s3_seen >= 16 && s2s3_listed <= s2s3_seen - s2s3_seen / 8) {
                    s2s3_wait2 = 0;
                } else if (--s2s3_wait2 <= -2) {
                    s2s3_few = 0;
                    s2s3_wait2 = 63;
                }
            }
            for (; i <= M; i++)
                {
                    const double d = row[i] - 0.5, r = d * d + 0.25 * d;
                    if (r < 0.0625) {
                        double e = exp(-r) / (1.0 + r);
                        sum = e > 0.96875 ? sum * 0.5 : sum + e;
                    }
                }
        }
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
int main(void)
{
    static const int sizes[] = {0, 1, 7, 8, 9, 16, 39};
    for (int i = 0; i < 7; i++) {
        int n = sizes[i];
        double total[4] = {0};
        printf("%a ", pairs(n, total));
        printf("%g %g %g %g ", total[0], total[1], total[2], total[3]);
        printf("%a\n", in_turn(n));
    }
    return 0;
}
