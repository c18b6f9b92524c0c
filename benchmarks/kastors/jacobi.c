/* Jacobi iteration for the Poisson equation: a task per row and phase, ordered by depend clauses.
 *
 * The matrices are reached through pointers to whole arrays of variable length. In the depend
 * clauses the same pointers are indexed by the row: such an item is the address of a matrix far
 * outside of the data (or before it), and means nothing but a tag for the row. Nothing but the
 * barrier of the single construct waits for the tasks.
 *
 * usage: jacobi [N [STEPS]]
 */
#include <omp.h>

#include "../harness.h"

void relax(int rows, int columns, double hx, double hy, double *source_, int done, int wanted,
           double *now_, double *next_)
{
    int row, column, step;
    double (*source)[rows][columns] = (double (*)[rows][columns])source_;
    double (*now)[rows][columns] = (double (*)[rows][columns])now_;
    double (*next)[rows][columns] = (double (*)[rows][columns])next_;

#pragma omp parallel shared(now, next, source) private(row, column, step) \
    firstprivate(rows, columns, hx, hy, done, wanted)
#pragma omp single
    {
        for (step = done + 1; step <= wanted; step++) {
            for (row = 0; row < rows; row++) {
#pragma omp task shared(now, next) firstprivate(row) private(column) \
    depend(in : next[row]) depend(out : now[row])
                for (column = 0; column < columns; column++) {
                    (*now)[row][column] = (*next)[row][column];
                }
            }
            for (row = 0; row < rows; row++) {
#pragma omp task shared(now, next, source) firstprivate(row, rows, columns, hx, hy) \
    private(column) depend(in : source[row], now[row - 1], now[row], now[row + 1]) \
    depend(out : next[row])
                for (column = 0; column < columns; column++) {
                    if (row == 0 || column == 0 || row == rows - 1 || column == columns - 1) {
                        (*next)[row][column] = (*source)[row][column];
                    } else {
                        (*next)[row][column] =
                            0.25 * ((*now)[row - 1][column] + (*now)[row][column + 1]
                                    + (*now)[row][column - 1] + (*now)[row + 1][column]
                                    + (*source)[row][column] * hx * hy);
                    }
                }
            }
        }
    }
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 2048;
    int steps = argc > 2 ? atoi(argv[2]) : 200;
    if (n < 3 || n > 30000 || steps < 0) {
        fprintf(stderr, "usage: %s [N [STEPS]]\n", argv[0]);
        return 2;
    }
    size_t count = (size_t)n * n;
    double *source = zeroed(count, sizeof *source);
    double *now = zeroed(count, sizeof *now);
    double *next = zeroed(count, sizeof *next);
    for (size_t i = 0; i < count; i++) {
        source[i] = i % 251 / 250.0 - i % 83 / 164.0;
    }

    double start = omp_get_wtime();
    relax(n, n, 1.0 / (n - 1), 1.0 / (n - 1), source, 0, steps, now, next);
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
