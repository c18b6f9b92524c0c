/* Jacobi iteration for the Poisson equation: a task per square block and phase.
 *
 * The loops over blocks advance by the block's size, which is a parameter; the tasks call inline
 * functions that are told the block's number, a quotient. Sections of an array of whole matrices
 * serve as tags in the depend clauses; at the edges of the grid a block stands for the neighbour
 * that it lacks.
 *
 * usage: jacobi_blocked [BLOCKS [BLOCK [STEPS]]]
 */
#include <omp.h>

#include "../harness.h"
#include "jacobi_blocked.h"

void relax(int rows, int columns, double hx, double hy, double *source_, int done, int wanted,
           double *now_, double *next_, int block)
{
    double (*source)[rows][columns] = (double (*)[rows][columns])source_;
    double (*now)[rows][columns] = (double (*)[rows][columns])now_;
    double (*next)[rows][columns] = (double (*)[rows][columns])next_;

    if (block == 0) {
        block = rows;
    }
#pragma omp parallel shared(now_, next_, source, rows, columns, hx, hy, done, wanted, block)
#pragma omp master
    for (int step = done + 1; step <= wanted; step++) {
        for (int c = 0; c < columns; c += block) {
            for (int r = 0; r < rows; r += block) {
#pragma omp task shared(now_, next_) firstprivate(r, c, block, rows, columns) \
    depend(in : next[r : block][c : block]) depend(out : now[r : block][c : block])
                keep_block(rows, columns, r / block, c / block, now_, next_, block);
            }
        }
        for (int c = 0; c < columns; c += block) {
            for (int r = 0; r < rows; r += block) {
                int north = r == 0 ? 0 : block;
                int south = r == rows - block ? 0 : block;
                int east = c == columns - block ? 0 : block;
                int west = c == 0 ? 0 : block;
#pragma omp task shared(now_, next_) \
    firstprivate(hx, hy, rows, columns, block, r, c, north, south, east, west) \
    depend(out : next[r : block][c : block]) \
    depend(in : source[r : block][c : block], now[r : block][c : block], \
           now[(r - north) : block][c : block], now[r : block][(c + east) : block], \
           now[r : block][(c - west) : block], now[(r + south) : block][c : block])
                relax_block(r / block, c / block, now_, next_, source_, hx, hy, rows, columns,
                            block);
            }
        }
    }
}

int main(int argc, char **argv)
{
    int blocks = argc > 1 ? atoi(argv[1]) : 32;
    int block = argc > 2 ? atoi(argv[2]) : 64;
    int steps = argc > 3 ? atoi(argv[3]) : 200;
    if (blocks < 1 || block < 2 || blocks > 30000 / block || steps < 0) {
        fprintf(stderr, "usage: %s [BLOCKS [BLOCK [STEPS]]]\n", argv[0]);
        return 2;
    }
    int n = blocks * block;
    size_t count = (size_t)n * n;
    double *source = zeroed(count, sizeof *source);
    double *now = zeroed(count, sizeof *now);
    double *next = zeroed(count, sizeof *next);
    for (size_t i = 0; i < count; i++) {
        source[i] = i % 251 / 250.0 - i % 83 / 164.0;
    }

    double start = omp_get_wtime();
    relax(n, n, 1.0 / (n - 1), 1.0 / (n - 1), source, 0, steps, now, next, block);
    double end = omp_get_wtime();

    printf("bits: %016" PRIx64 " %016" PRIx64 "\n", hash_of(now, count * sizeof *now),
           hash_of(next, count * sizeof *next));
    printf("sum: %.12g %.12g\n", sum_of_doubles(now, count), sum_of_doubles(next, count));
    fprintf(stderr, "time: %.6f s\n", end - start);
    free(source);
    free(now);
    free(next);
    return 0;
}
