#include "soundness/numbers.h"
void sweep(int n, int m, int T, double *u_, double *v_)
{
    double *w = (double *)calloc((size_t)n + 1, sizeof *w);

    {
        /* s2s: skewed, tiled 16x8 and pipelined 2 loops */
#ifdef _OPENMP
        extern int omp_get_max_threads(void), omp_get_num_procs(void);
        const int s2s_threads = omp_get_max_threads() < omp_get_num_procs()
                                ? omp_get_max_threads() : omp_get_num_procs();
#else
        const int s2s_threads = 1;
#endif
        if (T >= 1 && n >= 2 && m >= 1) {
            for (long s2s_t_chunk = 0; s2s_t_chunk <= (n - 2) / 512;
                 s2s_t_chunk++) {
                const long s2s_span = (n >= 512 * s2s_t_chunk + 514
                                       ? 512 * s2s_t_chunk + 512 : n - 1)
                                      - (512 * s2s_t_chunk + 1);
                long s2s_width = s2s_span / s2s_threads + 1;
                if (s2s_width > 16) s2s_width = 16;
#pragma omp parallel for ordered(2) schedule(static, 1)
                for (long s2s_t_tile = 0; s2s_t_tile <= s2s_span / s2s_width;
                     s2s_t_tile++)
                    for (long s2s_i_tile = 0; s2s_i_tile <= (T - 1) / 8;
                         s2s_i_tile++) {
#pragma omp ordered depend(sink: s2s_t_tile - 1, s2s_i_tile) \
       depend(sink: s2s_t_tile, s2s_i_tile - 1)
                        const long s2s_t_tile_first =
                                512 * s2s_t_chunk + 1 + s2s_t_tile * s2s_width;
                        {
                            long s2s_i_begin = 512 * s2s_t_chunk + 1;
                            long s2s_i_end = 512 * s2s_t_chunk + 512;
                            if (s2s_i_begin < s2s_t_tile_first)
                                s2s_i_begin = s2s_t_tile_first;
                            if (s2s_i_end > s2s_t_tile_first + s2s_width - 1)
                                s2s_i_end = s2s_t_tile_first + s2s_width - 1;
                            if (s2s_i_end > n - 1) s2s_i_end = n - 1;
                            for (int i = (int)s2s_i_begin; i <= s2s_i_end;
                                 i++) {
                                long s2s_t_end = 8 * s2s_i_tile + 7;
                                if (s2s_t_end > T - 1) s2s_t_end = T - 1;
                                for (int t = (int)(8 * s2s_i_tile);
                                     t <= s2s_t_end; t++) {
                                    for (int j = 0; j < m; j++) {
                                        if (u_[i] > 0.5) { w[i] += v_[j]; }
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
        for (int i = 1; i < n; i++)
            if (u_[i] > 0.5)
#pragma omp task depend(inout: w[i])
for (int j = 0; j < m; j++) w[i] += v_[j];
    }
        }
    }

    for (int i = 0; i < n; i++) u_[i] += w[i]; free(w);
}

#include "soundness/main.h"
