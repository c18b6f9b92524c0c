/* y += a x over arrays of blocks, a thread at each block. Arguments: blocks size a. */
#include <cilk.h>
#include <memoryweb.h>
#include <stdlib.h>

double **x, **y;

static void fill(double *block, long size, double value)
{
    for (long j = 0; j < size; j++)
        block[j] = value;
}

static void block_of(double *xs, double *ys, long size, double a)
{
    for (long j = 0; j < size; j++)
        ys[j] += a * xs[j];
}

int main(int argc, char **argv)
{
    long blocks = atol(argv[1]), size = atol(argv[2]);
    double a = atof(argv[3]);
    x = mw_malloc2d(blocks, size * sizeof(double));
    y = mw_malloc2d(blocks, size * sizeof(double));
    for (long i = 0; i < blocks; i++) {
        fill(x[i], size, i);
        fill(y[i], size, 1);
    }
    for (long i = 0; i < blocks; i++) {
        double *xs = x[i], *ys = y[i];
        cilk_spawn_at(xs) block_of(xs, ys, size, a);
    }
    cilk_sync;
    return 0;
}
