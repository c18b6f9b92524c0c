/* Jacobi iteration for the Poisson equation on a square grid: one task per row and phase.
 *
 * Each time step copies the grid and then relaxes it from the copy. The depend clauses name rows,
 * so that tasks of neighbouring rows may run ahead into later time steps; they also name the rows
 * just outside the grid, whose addresses serve as tags and are never accessed.
 *
 * usage: jacobi [N [STEPS]]
 */
#include <inttypes.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void sweep(int nx, int ny, double dx, double dy, double *f_, int from, int to, double *u_,
           double *unew_)
{
    double (*f)[ny] = (double (*)[ny])f_;
    double (*u)[ny] = (double (*)[ny])u_;
    double (*unew)[ny] = (double (*)[ny])unew_;

#pragma omp parallel
#pragma omp single
    {
        for (int t = from; t < to; t++) {
            for (int i = 0; i < nx; i++) {
#pragma omp task depend(in : unew[i]) depend(out : u[i])
                for (int j = 0; j < ny; j++) {
                    u[i][j] = unew[i][j];
                }
            }
            for (int i = 0; i < nx; i++) {
#pragma omp task depend(in : f[i], u[i - 1], u[i], u[i + 1]) depend(out : unew[i])
                for (int j = 0; j < ny; j++) {
                    if (i == 0 || j == 0 || i == nx - 1 || j == ny - 1) {
                        unew[i][j] = f[i][j];
                    } else {
                        unew[i][j] = 0.25 * (u[i - 1][j] + u[i][j + 1] + u[i][j - 1] + u[i + 1][j]
                                             + f[i][j] * dx * dy);
                    }
                }
            }
        }
#pragma omp taskwait
    }
}

/* A source term in [0, 1] inside, the boundary values along the edges. */
static void set_up(int n, double *f, double *unew)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            f[(size_t)i * n + j] = (i * 37 + j * 101) % 256 / 255.0;
            unew[(size_t)i * n + j] = 0.0;
        }
    }
}

/* 64-bit FNV-1a over the bit patterns. */
static uint64_t hash(const double *values, size_t count)
{
    uint64_t result = 0xcbf29ce484222325u;
    for (size_t i = 0; i < count; i++) {
        uint64_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        result = (result ^ bits) * 0x100000001b3u;
    }
    return result;
}

static double sum(const double *values, size_t count)
{
    double result = 0.0;
    for (size_t i = 0; i < count; i++) {
        result += values[i];
    }
    return result;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 2048;
    int steps = argc > 2 ? atoi(argv[2]) : 128;
    if (n < 3 || n > 30000 || steps < 0) {
        fprintf(stderr, "usage: %s [N [STEPS]]\n", argv[0]);
        return 2;
    }
    size_t count = (size_t)n * n;
    double *f = malloc(count * sizeof *f);
    double *u = malloc(count * sizeof *u);
    double *unew = malloc(count * sizeof *unew);
    if (!f || !u || !unew) {
        fprintf(stderr, "%s: out of memory\n", argv[0]);
        return 1;
    }
    set_up(n, f, unew);
    memcpy(u, unew, count * sizeof *u);

    double start = omp_get_wtime();
    sweep(n, n, 1.0 / (n - 1), 1.0 / (n - 1), f, 0, steps, u, unew);
    double end = omp_get_wtime();

    printf("bits: %016" PRIx64 " %016" PRIx64 "\n", hash(u, count), hash(unew, count));
    printf("sum: %.12g %.12g\n", sum(u, count), sum(unew, count));
    fprintf(stderr, "time: %.6f s\n", end - start);
    free(f);
    free(u);
    free(unew);
    return 0;
}
