#include "soundness/numbers.h"
void sweep(int n, int m, int T, double *u_, double *v_)
{
    double (*u)[m] = (double (*)[m])u_; double (*v)[m] = (double (*)[m])v_;

    double d;
    {
        /* s2s: fused, skewed, tiled 16x8 and pipelined 2 loops, split at the
           boundaries */
#ifdef _OPENMP
        extern int omp_get_max_threads(void), omp_get_num_procs(void);
        const int s2s_threads = omp_get_max_threads() < omp_get_num_procs()
                                ? omp_get_max_threads() : omp_get_num_procs();
#else
        const int s2s_threads = 1;
#endif
        if (/* sizes for which this is right */
            T >= 1 && n >= 1 && m >= 1
            /* 'u_' and 'v_' do not overlap */
            && ((const char *)(u + n) <= (const char *)v
                || (const char *)(v + n) <= (const char *)u)) {
            for (long s2s_t_chunk = 0; s2s_t_chunk <= (T - 1) / 512;
                 s2s_t_chunk++) {
                const long s2s_span = (T >= 512 * s2s_t_chunk + 513
                                       ? 512 * s2s_t_chunk + 511 : T - 1)
                                      - 512 * s2s_t_chunk;
                long s2s_width = s2s_span / s2s_threads + 1;
                if (s2s_width > 16) s2s_width = 16;
#pragma omp parallel for ordered(2) schedule(static, 1)
                for (long s2s_t_tile = 0; s2s_t_tile <= s2s_span / s2s_width;
                     s2s_t_tile++)
                    for (long s2s_i_tile = 64 * s2s_t_chunk;
                         s2s_i_tile <= (512 * s2s_t_chunk + 512 >= T
                                        ? (long)T + n - 1
                                        : 512 * s2s_t_chunk + n + 511) / 8;
                         s2s_i_tile++) {
#pragma omp ordered depend(sink: s2s_t_tile - 1, s2s_i_tile) \
       depend(sink: s2s_t_tile, s2s_i_tile - 1)
                        const long s2s_t_tile_first =
                                512 * s2s_t_chunk + s2s_t_tile * s2s_width;
                        {
                            long s2s_t_begin = 512 * s2s_t_chunk;
                            long s2s_t_end = 512 * s2s_t_chunk + 511;
                            if (s2s_t_begin < s2s_t_tile_first)
                                s2s_t_begin = s2s_t_tile_first;
                            if (s2s_t_begin < 8 * s2s_i_tile - n)
                                s2s_t_begin = 8 * s2s_i_tile - n;
                            if (s2s_t_end > 8 * s2s_i_tile + 7)
                                s2s_t_end = 8 * s2s_i_tile + 7;
                            if (s2s_t_end > s2s_t_tile_first + s2s_width - 1)
                                s2s_t_end = s2s_t_tile_first + s2s_width - 1;
                            if (s2s_t_end > T - 1) s2s_t_end = T - 1;
                            for (int t = (int)s2s_t_begin; t <= s2s_t_end; t++) {
                                if (t >= 8 * s2s_i_tile) {
                                    {
                                        const int i = 0;
#pragma omp simd
                                        for (int j = 0; j < m - 1; j++) {
                                            double d;
                                            { d = v[i][j]; }
                                            u[i][j] = 0.5 * (v[i][j] + d) + v[i][j + 1];
                                        }
                                    }
                                    {
                                        const int i = 0;
                                        const int j = m - 1;
                                        double d;
                                        { d = v[i][j]; }
                                        u[i][j] = 0.5 * (v[i][j] + d) + (0.0);
                                    }
                                }
                                {
                                    long s2s_i_begin = 8 * s2s_i_tile;
                                    long s2s_i_end = 8 * s2s_i_tile + 7;
                                    if (s2s_i_begin < (long)t + 1)
                                        s2s_i_begin = (long)t + 1;
                                    if (s2s_i_end > (long)n + t)
                                        s2s_i_end = (long)n + t;
                                    for (long s2s_i = s2s_i_begin; s2s_i <= s2s_i_end;
                                         s2s_i++) {
                                        if ((long)n + t >= s2s_i + 1) {
                                            {
                                                const int i = (int)(s2s_i - t);
#pragma omp simd
                                                for (int j = 0; j < m - 1; j++) {
                                                    double d;
                                                    { d = v[i - 1][j]; }
                                                    u[i][j] = 0.5 * (v[i][j] + d) + v[i][j + 1];
                                                }
                                            }
                                            {
                                                const int i = (int)(s2s_i - t);
                                                const int j = m - 1;
                                                double d;
                                                { d = v[i - 1][j]; }
                                                u[i][j] = 0.5 * (v[i][j] + d) + (0.0);
                                            }
                                        }
                                        {
                                            const int i = (int)(s2s_i - t - 1);
#pragma omp simd
                                            for (int j = 0; j < m; j++) {
                                                v[i][j] = u[i][j];
                                            }
                                        }
                                    }
                                }
                            }
                        }
#pragma omp ordered depend(source)
                    }
            }
        } else {
    for (int t = 0; t < T; t++) {
#pragma omp parallel for private(d)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++) {
                if (i == 0) d = v[i][j]; else d = v[i - 1][j];
                u[i][j] = 0.5 * (v[i][j] + d) + (j == m - 1 ? 0.0 : v[i][j + 1]);
            }
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                v[i][j] = u[i][j];
    }
        }
    }
}

#include "soundness/main.h"
