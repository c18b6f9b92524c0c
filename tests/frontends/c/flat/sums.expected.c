/* Rows as long as a sum: tables with one more column than letters, grids with a halo. */
#include "soundness/numbers.h"

#define D(i, j) d[(i) * (n + 1) + (j)]
#define AT(i, j) ((i) + (n + 2) * (j))

__attribute__((noinline))
static int distance(const char *x, const char *y, int m, int n, int *restrict d)
{
    for (int i = 0; i <= m; i++) D(i, 0) = i;
    for (int j = 0; j <= n; j++) D(0, j) = j;

    {
        /* s2s: tiled 32x256, pipelined */
        if (m >= 1 && n >= 1) {
#pragma omp parallel for ordered(2) schedule(static, 1)
            for (long s2s_i_tile = 0; s2s_i_tile <= (m - 1) / 32; s2s_i_tile++)
                for (long s2s_j_tile = 0; s2s_j_tile <= (n - 1) / 256; s2s_j_tile++) {
#pragma omp ordered depend(sink: s2s_i_tile - 1, s2s_j_tile) \
       depend(sink: s2s_i_tile, s2s_j_tile - 1)
                    {
                        long s2s_i_end = 32 * s2s_i_tile + 32;
                        if (s2s_i_end > m) s2s_i_end = m;
                        for (int i = (int)(32 * s2s_i_tile + 1); i <= s2s_i_end; i++) {
                            long s2s_j_end = 256 * s2s_j_tile + 256;
                            if (s2s_j_end > n) s2s_j_end = n;
                            for (int j = (int)(256 * s2s_j_tile + 1); j <= s2s_j_end; j++) {
                                int best = D(i - 1, j - 1) + (x[i - 1] != y[j - 1]);
                                if (D(i - 1, j) + 1 < best) best = D(i - 1, j) + 1;
                                if (D(i, j - 1) + 1 < best) best = D(i, j - 1) + 1;
                                D(i, j) = best;
                            }
                        }
                    }
#pragma omp ordered depend(source)
                }
        } else {
    for (int i = 1; i <= m; i++)
        for (int j = 1; j <= n; j++) {
            int best = D(i - 1, j - 1) + (x[i - 1] != y[j - 1]);
            if (D(i - 1, j) + 1 < best) best = D(i - 1, j) + 1;
            if (D(i, j - 1) + 1 < best) best = D(i, j - 1) + 1;
            D(i, j) = best;
        }
        }
    }
    return D(m, n);
}

__attribute__((noinline))
static void relax(int n, int steps, double *restrict u, double *restrict v)
{

    {
        /* s2s: fused, skewed, tiled 16x8 and pipelined 2 loops */
#ifdef _OPENMP
        extern int omp_get_max_threads(void), omp_get_num_procs(void);
        const int s2s_threads = omp_get_max_threads() < omp_get_num_procs() ? omp_get_max_threads()
                                : omp_get_num_procs();
#else
        const int s2s_threads = 1;
#endif
        if (steps >= 1 && n >= 1) {
            for (long s2s_t_chunk = 0; s2s_t_chunk <= (steps - 1) / 512; s2s_t_chunk++) {
                const long s2s_span = (steps >= 512 * s2s_t_chunk + 513 ? 512 * s2s_t_chunk + 511
                                       : steps - 1) - 512 * s2s_t_chunk;
                long s2s_width = s2s_span / s2s_threads + 1;
                if (s2s_width > 16) s2s_width = 16;
#pragma omp parallel for ordered(2) schedule(static, 1)
                for (long s2s_t_tile = 0; s2s_t_tile <= s2s_span / s2s_width; s2s_t_tile++)
                    for (long s2s_j_tile = 128 * s2s_t_chunk;
                         s2s_j_tile <= (512 * s2s_t_chunk + 512 >= steps ? 2L * steps + n - 2
                                        : 1024 * s2s_t_chunk + n + 1022) / 8;
                         s2s_j_tile++) {
#pragma omp ordered depend(sink: s2s_t_tile - 1, s2s_j_tile) \
       depend(sink: s2s_t_tile, s2s_j_tile - 1)
                        const long s2s_t_tile_first = 512 * s2s_t_chunk + s2s_t_tile * s2s_width;
                        {
                            long s2s_t_begin = 512 * s2s_t_chunk;
                            long s2s_t_end = 512 * s2s_t_chunk + 511;
                            if (s2s_t_begin < s2s_t_tile_first) s2s_t_begin = s2s_t_tile_first;
                            if (s2s_t_begin < 4 * s2s_j_tile + ((long)n + 1) / 2 - n)
                                s2s_t_begin = 4 * s2s_j_tile + ((long)n + 1) / 2 - n;
                            if (s2s_t_end > 4 * s2s_j_tile + 3) s2s_t_end = 4 * s2s_j_tile + 3;
                            if (s2s_t_end > s2s_t_tile_first + s2s_width - 1)
                                s2s_t_end = s2s_t_tile_first + s2s_width - 1;
                            if (s2s_t_end > steps - 1) s2s_t_end = steps - 1;
                            for (int t = (int)s2s_t_begin; t <= s2s_t_end; t++) {
                                long s2s_j_begin = 8 * s2s_j_tile + 1;
                                long s2s_j_end = 8 * s2s_j_tile + 8;
                                if (s2s_j_begin < 2L * t + 1) s2s_j_begin = 2L * t + 1;
                                if (s2s_j_end > n + 2L * t + 1) s2s_j_end = n + 2L * t + 1;
                                for (long s2s_j = s2s_j_begin; s2s_j <= s2s_j_end; s2s_j++) {
                                    if (n + 2L * t >= s2s_j) {
                                        const int j = (int)(s2s_j - 2L * t);
                                        for (int i = 1; i <= n; i++) {
                                            v[AT(i, j)] = (u[AT(i - 1, j)] + u[AT(i + 1, j)]
                                                           + u[AT(i, j - 1)] + u[AT(i, j + 1)]) / 4;
                                        }
                                    }
                                    if (s2s_j >= 2L * t + 2) {
                                        const int j = (int)(s2s_j - 2L * t - 1);
                                        for (int i = 1; i <= n; i++) {
                                            u[AT(i, j)] = v[AT(i, j)];
                                        }
                                    }
                                }
                            }
                        }
#pragma omp ordered depend(source)
                    }
            }
        } else {
    for (int t = 0; t < steps; t++) {
        for (int j = 1; j <= n; j++)
            for (int i = 1; i <= n; i++)
                v[AT(i, j)] = (u[AT(i - 1, j)] + u[AT(i + 1, j)] + u[AT(i, j - 1)] + u[AT(i, j + 1)]) / 4;
        for (int j = 1; j <= n; j++)
            for (int i = 1; i <= n; i++)
                u[AT(i, j)] = v[AT(i, j)];
    }
        }
    }
}

int main(void)
{
    enum { N = 43 };
    double *a = numbers((2 * N) * (2 * N), 1), *b = numbers((2 * N) * (2 * N), 2);
    int *d = calloc((N + 1) * (N + 1), sizeof *d);
    printf("%d\n", distance((char *)a, (char *)b, N - 2, N, d));
    printf("%d\n", distance((char *)a, (char *)b, 1, 1, d));
    show("d", d, (N + 1) * (N + 1) * sizeof *d);
    relax(N, 9, a, b);
    relax(0, 3, a, b);
    relax(1, 3, a, b);
    show("a", a, (N + 2) * (N + 2) * sizeof *a);
    free(a), free(b), free(d);
    return 0;
}
