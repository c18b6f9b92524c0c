/* Arguments: size of the grid, sweeps, size of a block. */
#include "../bench.h"

void sweep(int nx, int ny, double dx, double dy, double *f, int itold, int itnew, double *u,
           double *unew, int block_size);

int main(int argc, char **argv)
{
    int n = bench_argument(argc, argv, 1);
    int sweeps = bench_argument(argc, argv, 2);
    int block = bench_argument(argc, argv, 3);
    size_t cells = (size_t)n * (size_t)n;
    double *f = (double *)bench_alloc(cells, sizeof *f);
    double *u = (double *)bench_alloc(cells, sizeof *u);
    double *unew = (double *)bench_alloc(cells, sizeof *unew);
    for (size_t i = 0; i < cells; i++) {
        f[i] = bench_random(1, i);
        unew[i] = bench_random(2, i);
    }

    double start = bench_now();
    sweep(n, n, 1.0 / (n - 1), 1.0 / (n - 1), f, 0, sweeps, u, unew, block);
    bench_time(bench_now() - start);
    bench_doubles("u", u, cells);
    bench_doubles("unew", unew, cells);
    return 0;
}
