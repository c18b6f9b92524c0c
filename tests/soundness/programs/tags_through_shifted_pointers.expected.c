#include "soundness/numbers.h"
void sweep(int n, int m, int T, double *u_, double *v_)
{
    double (*u)[m] = (double (*)[m])u_; double (*v)[m] = (double (*)[m])v_;static char tags[2000]; char *a = tags + 10, *b = tags + 11; *a = *b = 0;

    {
        /* s2s: fused, skewed, tiled 16x8 and pipelined 2 loops */
#ifdef _OPENMP
        extern int omp_get_max_threads(void), omp_get_num_procs(void);
        const int s2s_threads = omp_get_max_threads() < omp_get_num_procs() ? omp_get_max_threads()
                                : omp_get_num_procs();
#else
        const int s2s_threads = 1;
#endif
        if (/* sizes for which this is right */
            T >= 1 && n >= 3 && m >= 3
            /* tags of tasks differ */
            && ((const char *)(a + n + 798L) < (const char *)(b + -1)
                || (const char *)(b + n + 797L) < (const char *)(a + 1)
                || (sizeof *a == sizeof *b
                    && ((const char *)a - (const char *)b) % (long)sizeof *a != 0))) {
            for (long s2s_t_chunk = 0; s2s_t_chunk <= (n + 797L) / 512; s2s_t_chunk++) {
                const long s2s_span = (s2s_t_chunk == 0 && n <= 514 ? n - 2
                                       : (512 * s2s_t_chunk >= n + 286L ? n + 798L
                                          : 512 * s2s_t_chunk + 512))
                                      - ((s2s_t_chunk == 1 && n <= 514 ? 801L
                                          : 512 * s2s_t_chunk + 1));
                long s2s_width = s2s_span / s2s_threads + 1;
                if (s2s_width > 16) s2s_width = 16;
#pragma omp parallel for ordered(2) schedule(static, 1)
                for (long s2s_t_tile = 0; s2s_t_tile <= s2s_span / s2s_width; s2s_t_tile++)
                    for (long s2s_i_tile = 0; s2s_i_tile <= (T - 1) / 8; s2s_i_tile++) {
#pragma omp ordered depend(sink: s2s_t_tile - 1, s2s_i_tile) \
       depend(sink: s2s_t_tile, s2s_i_tile - 1)
                        const long s2s_t_tile_first = (s2s_t_chunk == 1 && n <= 514 ? 801L
                                                       : 512 * s2s_t_chunk + 1)
                                                      + s2s_t_tile * s2s_width;
                        {
                            long s2s_t_begin = 512 * s2s_t_chunk + 1;
                            long s2s_t_end = 512 * s2s_t_chunk + 512;
                            if (s2s_t_begin < s2s_t_tile_first) s2s_t_begin = s2s_t_tile_first;
                            if (s2s_t_end > s2s_t_tile_first + s2s_width - 1)
                                s2s_t_end = s2s_t_tile_first + s2s_width - 1;
                            if (s2s_t_end > n + 798L) s2s_t_end = n + 798L;
                            for (long s2s_t = s2s_t_begin; s2s_t <= s2s_t_end; s2s_t++) {
                                long s2s_t_end = 8 * s2s_i_tile + 7;
                                if (s2s_t_end > T - 1) s2s_t_end = T - 1;
                                for (int t = (int)(8 * s2s_i_tile); t <= s2s_t_end; t++) {
                                    if (s2s_t >= 801) {
                                        const int i = (int)(s2s_t - 800);
                                        for (int j = 1; j < m - 1; j++) {
                                            if (v[i][j] < 0.9)
                                                u[i][j] = 0.25
                                                          * (v[i-1][j] + v[i+1][j] + v[i][j-1]
                                                             + v[i][j+1]);
                                        }
                                    }
                                    if (n >= s2s_t + 2) {
                                        const int i = (int)s2s_t;
                                        for (int j = 1; j < m - 1; j++) {
                                            if (u[i][j] > 0.1) v[i][j] = u[i][j] + 0.01 * u[i-1][j];
                                        }
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
        for (int i = 1; i < n - 1; i++) {
#pragma omp task depend(in: b[i - 2], b[i - 1], b[i]) depend(out: a[800 + i])
            for (int j = 1; j < m - 1; j++)
                if (v[i][j] < 0.9) u[i][j] = 0.25 * (v[i-1][j] + v[i+1][j] + v[i][j-1] + v[i][j+1]);
        }
        for (int i = 1; i < n - 1; i++) {
#pragma omp task depend(in: b[799 + i], b[798 + i]) depend(inout: a[i])
            for (int j = 1; j < m - 1; j++)
                if (u[i][j] > 0.1) v[i][j] = u[i][j] + 0.01 * u[i-1][j];
        }
    }
        }
    }
}

#include "soundness/main.h"
