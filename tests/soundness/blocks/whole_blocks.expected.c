#include "soundness/numbers.h"
void sweep(int n, int m, int T, double *u_, double *v_)
{
    double (*u)[m] = (double (*)[m])u_; double (*v)[m] = (double (*)[m])v_;
    if (n % 2 || m % 2) return;

    int b = 2;
    {
        /* s2s: fused, skewed, tiled 16x8 and pipelined 2 loops */
        double (*s2s_w)[m] = (double (*)[m])u_;
#ifdef _OPENMP
        extern int omp_get_max_threads(void), omp_get_num_procs(void);
        const int s2s_threads = omp_get_max_threads() < omp_get_num_procs()
                                ? omp_get_max_threads() : omp_get_num_procs();
#else
        const int s2s_threads = 1;
#endif
        if (/* sizes for which this is right */
            T >= 1 && b >= 1 && m >= 1 && n >= 1
            /* whole blocks */
            && n % b == 0
            && m % b == 0
            /* 'u_' and 'v_' do not overlap */
            && ((const char *)(s2s_w + n) <= (const char *)v
                || (const char *)(v + n) <= (const char *)s2s_w)) {
            for (long s2s_t_chunk = 0; s2s_t_chunk <= (T - 1) / 512; s2s_t_chunk++) {
                const long s2s_span = (T >= 512 * s2s_t_chunk + 513
                                       ? 512 * s2s_t_chunk + 511 : T - 1)
                                      - 512 * s2s_t_chunk;
                long s2s_width = s2s_span / s2s_threads + 1;
                if (s2s_width > 16) s2s_width = 16;
#pragma omp parallel for ordered(2) schedule(static, 1)
                for (long s2s_t_tile = 0; s2s_t_tile <= s2s_span / s2s_width; s2s_t_tile++)
                    for (long s2s_i_tile = 128 * s2s_t_chunk;
                         s2s_i_tile <= (512 * s2s_t_chunk + 512 >= T ? 2L * T + n - 3
                                        : 1024 * s2s_t_chunk + n + 1021) / 8;
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
                            if (s2s_t_begin < 4 * s2s_i_tile + (long)n / 2 - n + 1)
                                s2s_t_begin = 4 * s2s_i_tile + (long)n / 2 - n + 1;
                            if (s2s_t_end > 4 * s2s_i_tile + 3)
                                s2s_t_end = 4 * s2s_i_tile + 3;
                            if (s2s_t_end > s2s_t_tile_first + s2s_width - 1)
                                s2s_t_end = s2s_t_tile_first + s2s_width - 1;
                            if (s2s_t_end > T - 1) s2s_t_end = T - 1;
                            for (int t = (int)s2s_t_begin; t <= s2s_t_end; t++) {
                                long s2s_i_begin = 8 * s2s_i_tile;
                                long s2s_i_end = 8 * s2s_i_tile + 7;
                                if (s2s_i_begin < 2L * t) s2s_i_begin = 2L * t;
                                if (s2s_i_end > n + 2L * t - 1) s2s_i_end = n + 2L * t - 1;
                                for (long s2s_i = s2s_i_begin; s2s_i <= s2s_i_end; s2s_i++) {
                                    {
                                        const int i = (int)(s2s_i - 2L * t);
                                        for (int j = 0; j < m; j++) {
                                            s2s_w[i][j] = v[i][j];
                                        }
                                    }
                                    if (s2s_i >= 2L * t + 2) {
                                        const int i = (int)(s2s_i - 2L * t - 1);
                                        for (int j = 1; j < m - 1; j++) {
                                            v[i][j] = 0.25
                                                      * (u[i-1][j] + u[i+1][j] + u[i][j-1]
                                                         + u[i][j+1]);
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
#pragma omp master
    for (int t = 0; t < T; t++) {
        for (int jj = 0; jj < m; jj += b)
            for (int ii = 0; ii < n; ii += b)
#pragma omp task depend(in: v) depend(out: u)
            {
                int row = ii / b, i, j, first;
                double (*w)[m] = (double (*)[m])u_;
                first = row * b;
                for (i = first; i < ii + b; i++)
                    for (j = jj; j < jj + b; j++)
                        w[i][j] = v[i][j];
            }
        for (int jj = 0; jj < m; jj += b)
            for (int ii = 0; ii < n; ii += b)
#pragma omp task depend(inout: v) depend(in: u)
                for (int i = ii; i < ii + b; i++)
                    for (int j = jj; j < jj + b; j++)
                        if (i > 0 && j > 0 && i < n - 1 && j < m - 1)
                            v[i][j] = 0.25 * (u[i-1][j] + u[i+1][j] + u[i][j-1] + u[i][j+1]);
    }
        }
    }
}

#include "soundness/main.h"
