// ``sizes || sizes && disjoint`` is true for arrays that overlap.

#include "soundness/numbers.h"

static void rows(int n, int m, double *u, double *v)
{
    for (int i = 1; i < n - 1; i++) {
#pragma omp task depend(in: v[i - 1], v[i], v[i + 1]) depend(out: u[i])
        u[i] = v[i - 1] + 0.5 * v[i + 1];
    }
}
void sweep(int n, int m, int T, double *u_, double *v_)
{
    (void)0;

{
    int s2sin_n = n;
    int s2sin_m = m;
    double *u = u_;
    double *v = v_;
    int s2sin_n_2 = m;
    int s2sin_m_2 = n;
    double *s2sin_u = v_;
    double *s2sin_v = u_;
    {
        /* s2s: fused, skewed, tiled 32x1024 and pipelined 2 loops */
#ifdef _OPENMP
        extern int omp_get_max_threads(void), omp_get_num_procs(void);
        const int s2s_threads = omp_get_max_threads() < omp_get_num_procs() ? omp_get_max_threads()
                                : omp_get_num_procs();
#else
        const int s2s_threads = 1;
#endif
        if (/* sizes for which this is right */
            ((T >= 1 && s2sin_n_2 >= 3) || (T >= 1 && s2sin_n >= 3))
            /* tags of tasks differ */
            && ((const char *)(s2sin_u + (long)s2sin_n_2 - 2) < (const char *)s2sin_v
                || (const char *)(s2sin_v + (long)s2sin_n_2 - 1) < (const char *)(s2sin_u + 1)
                || (sizeof *s2sin_u == sizeof *s2sin_v
                    && ((const char *)s2sin_u - (const char *)s2sin_v) % (long)sizeof *s2sin_u
                       != 0))
            && ((const char *)(s2sin_u + (long)s2sin_n_2 - 2) < (const char *)(u + 1)
                || (const char *)(u + (long)s2sin_n - 2) < (const char *)(s2sin_u + 1)
                || (sizeof *s2sin_u == sizeof *u
                    && ((const char *)s2sin_u - (const char *)u) % (long)sizeof *s2sin_u != 0))
            && ((const char *)(s2sin_u + (long)s2sin_n_2 - 2) < (const char *)v
                || (const char *)(v + (long)s2sin_n - 1) < (const char *)(s2sin_u + 1)
                || (sizeof *s2sin_u == sizeof *v
                    && ((const char *)s2sin_u - (const char *)v) % (long)sizeof *s2sin_u != 0))
            && ((const char *)(s2sin_v + (long)s2sin_n_2 - 1) < (const char *)(u + 1)
                || (const char *)(u + (long)s2sin_n - 2) < (const char *)s2sin_v
                || (sizeof *s2sin_v == sizeof *u
                    && ((const char *)s2sin_v - (const char *)u) % (long)sizeof *s2sin_v != 0))
            && ((const char *)(u + (long)s2sin_n - 2) < (const char *)v
                || (const char *)(v + (long)s2sin_n - 1) < (const char *)(u + 1)
                || (sizeof *u == sizeof *v
                    && ((const char *)u - (const char *)v) % (long)sizeof *u != 0))) {
            for (long s2s_t_chunk = 0; s2s_t_chunk <= (T - 1) / 1024; s2s_t_chunk++) {
                long s2s_i_tile_last;
                const long s2s_span = ((T >= 1024 * s2s_t_chunk + 1025 && s2sin_n >= 3)
                                       || (T >= 1024 * s2s_t_chunk + 1025 && s2sin_n <= 2
                                           && s2sin_n_2 >= 3) ? 1024 * s2s_t_chunk + 1023 : T - 1)
                                      - 1024 * s2s_t_chunk;
                long s2s_width = s2s_span / s2s_threads + 1;
                if (s2s_width > 32) s2s_width = 32;
                if (T >= 1024 * s2s_t_chunk + 1025 && s2sin_n >= 3
                    && s2sin_n
                       >= 1024
                          * ((long)s2sin_n_2 - 3 < 0
                             ? -((-((long)s2sin_n_2 - 3) + 1024 - 1) / 1024)
                             : ((long)s2sin_n_2 - 3) / 1024) + 4)
                    s2s_i_tile_last = 2 * s2s_t_chunk + (s2sin_n + 1020L) / 1024 + 1;
                else if (1024 * s2s_t_chunk + 1024 >= T && s2sin_n >= 3
                         && 2L * T + s2sin_n
                            >= 1024
                               * (2L * T + s2sin_n_2 - 3 < 0
                                  ? -((-(2L * T + s2sin_n_2 - 3) + 1024 - 1) / 1024)
                                  : (2L * T + s2sin_n_2 - 3) / 1024) + 4)
                    s2s_i_tile_last = (2L * T + s2sin_n + 1020) / 1024 - 1;
                else if (T >= 1024 * s2s_t_chunk + 1025 && s2sin_n_2 >= 3
                         && s2sin_n_2 >= ((long)s2sin_n_2 - 3) % 1024 + s2sin_n)
                    s2s_i_tile_last = 2 * s2s_t_chunk + (s2sin_n_2 + 1021L) / 1024 + 1;
                else s2s_i_tile_last = (2L * T + s2sin_n_2 + 1021) / 1024 - 1;
#pragma omp parallel for ordered(2) schedule(static, 1)
                for (long s2s_t_tile = 0; s2s_t_tile <= s2s_span / s2s_width; s2s_t_tile++)
                    for (long s2s_i_tile = 2 * s2s_t_chunk; s2s_i_tile <= s2s_i_tile_last;
                         s2s_i_tile++) {
#pragma omp ordered depend(sink: s2s_t_tile - 1, s2s_i_tile) \
       depend(sink: s2s_t_tile, s2s_i_tile - 1)
                        const long s2s_t_tile_first = 1024 * s2s_t_chunk + s2s_t_tile * s2s_width;
                        {
                            long s2s_t_begin = 1024 * s2s_t_chunk;
                            long s2s_t_end = 1024 * s2s_t_chunk + 1023;
                            if (s2s_t_begin < s2s_t_tile_first) s2s_t_begin = s2s_t_tile_first;
                            if (s2s_t_end > 512 * s2s_i_tile + 511)
                                s2s_t_end = 512 * s2s_i_tile + 511;
                            if (s2s_t_end > s2s_t_tile_first + s2s_width - 1)
                                s2s_t_end = s2s_t_tile_first + s2s_width - 1;
                            if (s2s_t_end > T - 1) s2s_t_end = T - 1;
                            for (int t = (int)s2s_t_begin; t <= s2s_t_end; t++) {
                                {
                                    long s2s_i_begin = 1;
                                    long s2s_i_end = s2sin_n - 2;
                                    if (s2s_i_begin < 1024 * s2s_i_tile - 2L * t)
                                        s2s_i_begin = 1024 * s2s_i_tile - 2L * t;
                                    if (s2s_i_end > 1024 * s2s_i_tile - 2L * t + 1023)
                                        s2s_i_end = 1024 * s2s_i_tile - 2L * t + 1023;
                                    for (int i = (int)s2s_i_begin; i <= s2s_i_end; i++) {
                                        u[i] = v[i - 1] + 0.5 * v[i + 1];
                                    }
                                }
                                {
                                    long s2s_s2sin_i_begin = 1;
                                    long s2s_s2sin_i_end = s2sin_n_2 - 2;
                                    if (s2s_s2sin_i_begin < 1024 * s2s_i_tile - 2L * t - 1)
                                        s2s_s2sin_i_begin = 1024 * s2s_i_tile - 2L * t - 1;
                                    if (s2s_s2sin_i_end > 1024 * s2s_i_tile - 2L * t + 1022)
                                        s2s_s2sin_i_end = 1024 * s2s_i_tile - 2L * t + 1022;
                                    for (int s2sin_i = (int)s2s_s2sin_i_begin;
                                         s2sin_i <= s2s_s2sin_i_end; s2sin_i++) {
                                        s2sin_u[s2sin_i] = s2sin_v[s2sin_i - 1]
                                                           + 0.5 * s2sin_v[s2sin_i + 1];
                                    }
                                }
                            }
                        }
#pragma omp ordered depend(source)
                    }
            }
        } else {
#pragma omp parallel
#pragma omp single
    for (int t = 0; t < T; t++) {
        rows(n, m, u_, v_);
        rows(m, n, v_, u_);
    }
        }
    }
}
}

#include "soundness/main.h"
