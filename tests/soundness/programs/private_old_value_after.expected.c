#include "soundness/numbers.h"
void sweep(int n, int m, int T, double *u_, double *v_)
{
    double (*u)[m] = (double (*)[m])u_; double (*v)[m] = (double (*)[m])v_;double x = 3;

    {
        /* s2s: fused, skewed, tiled 16x8 and pipelined 2 loops */
#ifdef _OPENMP
        extern int omp_get_max_threads(void), omp_get_num_procs(void);
        const int s2s_threads = omp_get_max_threads() < omp_get_num_procs()
                                ? omp_get_max_threads() : omp_get_num_procs();
#else
        const int s2s_threads = 1;
#endif
        if (/* sizes for which this is right */
            T >= 1 && n >= 3 && m >= 3
            /* 'u_' and 'v_' do not overlap */
            && ((const char *)(u + (long)n - 1) <= (const char *)v
                || (const char *)(v + n) <= (const char *)u)) {
            for (long s2s_t_chunk = 0; s2s_t_chunk <= (T - 1) / 512; s2s_t_chunk++) {
                long s2s_i_tile_last;
                const long s2s_span = (T >= 512 * s2s_t_chunk + 513
                                       ? 512 * s2s_t_chunk + 511 : T - 1) - 512 * s2s_t_chunk;
                long s2s_width = s2s_span / s2s_threads + 1;
                if (s2s_width > 16) s2s_width = 16;
                if (T >= 512 * s2s_t_chunk + 513 && n == 3)
                    s2s_i_tile_last = (1024 * s2s_t_chunk + 1023) / 8;
                else if ((T >= 512 * s2s_t_chunk + 513 && (long)n % 2 == 0)
                         || (T >= 512 * s2s_t_chunk + 513 && n >= 5
                             && ((long)n + 1) % 2 == 0))
                    s2s_i_tile_last = (1024 * s2s_t_chunk + n + 1020) / 8;
                else s2s_i_tile_last = (2L * T + n - 4) / 8;
#pragma omp parallel for ordered(2) schedule(static, 1)
                for (long s2s_t_tile = 0; s2s_t_tile <= s2s_span / s2s_width; s2s_t_tile++)
                    for (long s2s_i_tile = 128 * s2s_t_chunk; s2s_i_tile <= s2s_i_tile_last;
                         s2s_i_tile++) {
#pragma omp ordered depend(sink: s2s_t_tile - 1, s2s_i_tile) \
       depend(sink: s2s_t_tile, s2s_i_tile - 1)
                        const long s2s_t_tile_first = 512 * s2s_t_chunk
                                                      + s2s_t_tile * s2s_width;
                        {
                            long s2s_t_begin = 512 * s2s_t_chunk;
                            long s2s_t_end = 512 * s2s_t_chunk + 511;
                            if (s2s_t_begin < s2s_t_tile_first)
                                s2s_t_begin = s2s_t_tile_first;
                            if (s2s_t_begin < 4 * s2s_i_tile + ((long)n + 1) / 2 - n + 1)
                                s2s_t_begin = 4 * s2s_i_tile + ((long)n + 1) / 2 - n + 1;
                            if (s2s_t_end > 4 * s2s_i_tile + 3)
                                s2s_t_end = 4 * s2s_i_tile + 3;
                            if (s2s_t_end > s2s_t_tile_first + s2s_width - 1)
                                s2s_t_end = s2s_t_tile_first + s2s_width - 1;
                            if (s2s_t_end > T - 1) s2s_t_end = T - 1;
                            for (int t = (int)s2s_t_begin; t <= s2s_t_end; t++) {
                                if (n + 2L * t >= 8 * s2s_i_tile + 3) {
                                    {
                                        long s2s_i_pair_begin = 4 * s2s_i_tile;
                                        long s2s_i_pair_end = 4 * s2s_i_tile + 3;
                                        if (s2s_i_pair_begin < t) s2s_i_pair_begin = t;
                                        if (s2s_i_pair_end > t + (long)n / 2 - 2)
                                            s2s_i_pair_end = t + (long)n / 2 - 2;
                                        for (long s2s_i_pair = s2s_i_pair_begin;
                                             s2s_i_pair <= s2s_i_pair_end; s2s_i_pair++) {
                                            long s2s_j_aligned =
                                                    1
                                                    + (long)(
                                                          -((unsigned long)&u[2 * s2s_i_pair - 2L * t + 1][1] / 8)
                                                          % 4);
                                            if (s2s_j_aligned > m - 1) s2s_j_aligned = m - 1;
                                            for (int j = 1; j < s2s_j_aligned; j++) {
                                                const double s2s_v_0 =
                                                        v[2 * s2s_i_pair - 2L * t + 1][j];
                                                const double s2s_v_1 =
                                                        v[(2 * s2s_i_pair - 2L * t + 1)+1][j];
                                                {
                                                    const int i = (int)(2 * s2s_i_pair - 2L * t + 1);
                                                    double x;
                                                    x = s2s_v_0, u[i][j] = 0.25
                                                        * (v[i-1][j] + s2s_v_1 + v[i][j-1]
                                                           + v[i][j+1]);
                                                }
                                                {
                                                    const int i = (int)(2 * s2s_i_pair - 2L * t + 2);
                                                    double x;
                                                    x = s2s_v_1, u[i][j] = 0.25
                                                        * (s2s_v_0 + v[i+1][j] + v[i][j-1]
                                                           + v[i][j+1]);
                                                }
                                            }
#pragma omp simd
                                            for (int j = (int)s2s_j_aligned; j < m - 1; j++) {
                                                const double s2s_v_0 =
                                                        v[2 * s2s_i_pair - 2L * t + 1][j];
                                                const double s2s_v_1 =
                                                        v[(2 * s2s_i_pair - 2L * t + 1)+1][j];
                                                {
                                                    const int i = (int)(2 * s2s_i_pair - 2L * t + 1);
                                                    double x;
                                                    x = s2s_v_0, u[i][j] = 0.25
                                                        * (v[i-1][j] + s2s_v_1 + v[i][j-1]
                                                           + v[i][j+1]);
                                                }
                                                {
                                                    const int i = (int)(2 * s2s_i_pair - 2L * t + 2);
                                                    double x;
                                                    x = s2s_v_1, u[i][j] = 0.25
                                                        * (s2s_v_0 + v[i+1][j] + v[i][j-1]
                                                           + v[i][j+1]);
                                                }
                                            }
                                        }
                                    }
                                    if (8 * s2s_i_tile + 9 >= n + 2L * t
                                        && ((long)n + 1) % 2 == 0) {
                                        const int i = n - 2;
#pragma omp simd
                                        for (int j = 1; j < m - 1; j++) {
                                            double x;
                                            x = v[i][j], u[i][j] = 0.25
                                                * (v[i-1][j] + v[i+1][j] + v[i][j-1]
                                                   + v[i][j+1]);
                                        }
                                    }
                                }
                                if (t >= 4 * s2s_i_tile) {
                                    const int i = 1;
#pragma omp simd
                                    for (int j = 1; j < m - 1; j++) {
                                        v[i][j] = u[i][j] + 0.01 * u[i-1][j];
                                    }
                                }
                                {
                                    long s2s_i_pair_begin = 4 * s2s_i_tile;
                                    long s2s_i_pair_end = 4 * s2s_i_tile + 3;
                                    if (s2s_i_pair_begin < (long)t + 1)
                                        s2s_i_pair_begin = (long)t + 1;
                                    if (s2s_i_pair_end > t + ((long)n + 1) / 2 - 2)
                                        s2s_i_pair_end = t + ((long)n + 1) / 2 - 2;
                                    for (long s2s_i_pair = s2s_i_pair_begin;
                                         s2s_i_pair <= s2s_i_pair_end; s2s_i_pair++) {
                                        long s2s_j_aligned =
                                                1
                                                + (long)(
                                                      -((unsigned long)&v[2 * s2s_i_pair - 2L * t][1] / 8)
                                                      % 4);
                                        if (s2s_j_aligned > m - 1) s2s_j_aligned = m - 1;
                                        for (int j = 1; j < s2s_j_aligned; j++) {
                                            const double s2s_u_0 =
                                                    u[2 * s2s_i_pair - 2L * t][j];
                                            {
                                                const int i = (int)(2 * s2s_i_pair - 2L * t);
                                                v[i][j] = s2s_u_0 + 0.01 * u[i-1][j];
                                            }
                                            {
                                                const int i = (int)(2 * s2s_i_pair - 2L * t + 1);
                                                v[i][j] = u[i][j] + 0.01 * s2s_u_0;
                                            }
                                        }
#pragma omp simd
                                        for (int j = (int)s2s_j_aligned; j < m - 1; j++) {
                                            const double s2s_u_0 =
                                                    u[2 * s2s_i_pair - 2L * t][j];
                                            {
                                                const int i = (int)(2 * s2s_i_pair - 2L * t);
                                                v[i][j] = s2s_u_0 + 0.01 * u[i-1][j];
                                            }
                                            {
                                                const int i = (int)(2 * s2s_i_pair - 2L * t + 1);
                                                v[i][j] = u[i][j] + 0.01 * s2s_u_0;
                                            }
                                        }
                                    }
                                }
                                if (8 * s2s_i_tile + 8 >= n + 2L * t && (long)n % 2 == 0) {
                                    const int i = n - 2;
#pragma omp simd
                                    for (int j = 1; j < m - 1; j++) {
                                        v[i][j] = u[i][j] + 0.01 * u[i-1][j];
                                    }
                                }
                            }
                        }
#pragma omp ordered depend(source)
                    }
            }
        } else {
    for (int t = 0; t < T; t++) {
#pragma omp parallel for private(x)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                x = v[i][j], u[i][j] = 0.25 * (v[i-1][j] + v[i+1][j] + v[i][j-1] + v[i][j+1]);
#pragma omp parallel for
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                v[i][j] = u[i][j] + 0.01 * u[i-1][j];
    }
        }
    }

    u_[0] += x;
}

#include "soundness/main.h"
