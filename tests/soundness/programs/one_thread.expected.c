#include "soundness/numbers.h"
void sweep(int n, int m, int T, double *u_, double *v_)
{
    double (*u)[m] = (double (*)[m])u_; double (*v)[m] = (double (*)[m])v_;

    {
        /* s2s: fused, skewed, tiled 16x8 and pipelined 2 loops */
        const int s2s_threads = (1);
        if (T >= 1 && n >= 3 && m >= 3) {
            for (long s2s_t_chunk = 0; s2s_t_chunk <= (T - 1) / 512;
                 s2s_t_chunk++) {
                const long s2s_span = (T >= 512 * s2s_t_chunk + 513
                                       ? 512 * s2s_t_chunk + 511 : T - 1)
                                      - 512 * s2s_t_chunk;
                long s2s_width = s2s_span / s2s_threads + 1;
                if (s2s_width > 16) s2s_width = 16;
#pragma omp parallel for ordered(2) schedule(static, 1) num_threads(1)
                for (long s2s_t_tile = 0; s2s_t_tile <= s2s_span / s2s_width;
                     s2s_t_tile++)
                    for (long s2s_i_tile = 128 * s2s_t_chunk;
                         s2s_i_tile <= (512 * s2s_t_chunk + 512 >= T
                                        ? 2L * T + n - 4
                                        : 1024 * s2s_t_chunk + n + 1020) / 8;
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
                            if (s2s_t_begin
                                < 4 * s2s_i_tile + ((long)n + 1) / 2 - n + 1)
                                s2s_t_begin = 4 * s2s_i_tile + ((long)n + 1) / 2
                                              - n + 1;
                            if (s2s_t_end > 4 * s2s_i_tile + 3)
                                s2s_t_end = 4 * s2s_i_tile + 3;
                            if (s2s_t_end > s2s_t_tile_first + s2s_width - 1)
                                s2s_t_end = s2s_t_tile_first + s2s_width - 1;
                            if (s2s_t_end > T - 1) s2s_t_end = T - 1;
                            for (int t = (int)s2s_t_begin; t <= s2s_t_end; t++) {
                                long s2s_i_begin = 8 * s2s_i_tile + 1;
                                long s2s_i_end = 8 * s2s_i_tile + 8;
                                if (s2s_i_begin < 2L * t + 1)
                                    s2s_i_begin = 2L * t + 1;
                                if (s2s_i_end > n + 2L * t - 1)
                                    s2s_i_end = n + 2L * t - 1;
                                for (long s2s_i = s2s_i_begin; s2s_i <= s2s_i_end;
                                     s2s_i++) {
                                    if (n + 2L * t >= s2s_i + 2) {
                                        const int i = (int)(s2s_i - 2L * t);
                                        for (int j = 1; j < m - 1; j++) {
                                            u[i][j] = 0.25
                                                      * (u[i-1][j] + u[i+1][j] + u[i][j-1]
                                                         + u[i][j+1]);
                                        }
                                    }
                                    if (s2s_i >= 2L * t + 2) {
                                        const int i = (int)(s2s_i - 2L * t - 1);
                                        for (int j = 1; j < m - 1; j++) {
                                            u[i][j] = u[i][j] + 0.01 * u[i-1][j];
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
#pragma omp parallel for num_threads(1)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                u[i][j] = 0.25 * (u[i-1][j] + u[i+1][j] + u[i][j-1] + u[i][j+1]);
#pragma omp parallel for num_threads(1)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                u[i][j] = u[i][j] + 0.01 * u[i-1][j];
    }
        }
    }
}

#include "soundness/main.h"
