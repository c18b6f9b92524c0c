/* LU decomposition of a sparse matrix of blocks: a task for each block and operation.
 *
 * The matrix is a table of pointers to blocks, NULL where a block is zero, and its subscripts are
 * linearized. The thread that creates the tasks also looks at the table and fills it, in between.
 * The operations are in another file, sparselu_blocks.c. A depend item claims to be as long as a
 * block, counted in pointers: neighbouring items overlap, and only where they begin means
 * anything.
 *
 * usage: sparselu [BLOCKS [SIDE]]
 */
#include "sparselu.h"

#include <omp.h>

#include "../harness.h"

void factorize(float **table, int blocks, int side)
{
    int row, column, step;

#pragma omp parallel private(step, row, column) shared(table)
#pragma omp single
    {
        for (step = 0; step < blocks; step++) {
#pragma omp task firstprivate(step) shared(table) \
    depend(inout : table[step * blocks + step : side * side])
            decompose(table[step * blocks + step], side);

            for (column = step + 1; column < blocks; column++) {
                if (table[step * blocks + column] != NULL) {
#pragma omp task firstprivate(step, column) shared(table) \
    depend(in : table[step * blocks + step : side * side]) \
    depend(inout : table[step * blocks + column : side * side])
                    solve_right(table[step * blocks + step], table[step * blocks + column], side);
                }
            }
            for (row = step + 1; row < blocks; row++) {
                if (table[row * blocks + step] != NULL) {
#pragma omp task firstprivate(step, row) shared(table) \
    depend(in : table[step * blocks + step : side * side]) \
    depend(inout : table[row * blocks + step : side * side])
                    solve_below(table[step * blocks + step], table[row * blocks + step], side);
                }
            }
            for (row = step + 1; row < blocks; row++) {
                if (table[row * blocks + step] != NULL) {
                    for (column = step + 1; column < blocks; column++) {
                        if (table[step * blocks + column] != NULL) {
                            if (table[row * blocks + column] == NULL) {
                                table[row * blocks + column] = empty_block(side);
                            }
#pragma omp task firstprivate(step, column, row) shared(table) \
    depend(in : table[row * blocks + step : side * side], \
           table[step * blocks + column : side * side]) \
    depend(inout : table[row * blocks + column : side * side])
                            update(table[row * blocks + step], table[step * blocks + column],
                                   table[row * blocks + column], side);
                        }
                    }
                }
            }
        }
#pragma omp taskwait
    }
}

/* Three diagonals of blocks, and every sixth row and column with gaps. */
static int is_filled(int row, int column)
{
    int nearer = row < column ? row : column, farther = row < column ? column : row;
    return farther - nearer <= 1 || (nearer % 6 == 0 && farther % 2 == 0);
}

/* Values in [-1, 1), large on the diagonal so that no pivot is needed. */
static float *random_block(int side, int is_diagonal, uint64_t *state)
{
    float *block = empty_block(side);
    for (int i = 0; i < side * side; i++) {
        block[i] = (float)(2.0 * next_number(state) - 1.0);
        if (is_diagonal && i % (side + 1) == 0) {
            block[i] += 16.0f * (float)side;
        }
    }
    return block;
}

static float **set_up(int blocks, int side)
{
    float **table = zeroed((size_t)blocks * blocks, sizeof *table);
    uint64_t state = 2009;
    for (int row = 0; row < blocks; row++) {
        for (int column = 0; column < blocks; column++) {
            if (is_filled(row, column)) {
                table[row * blocks + column] = random_block(side, row == column, &state);
            }
        }
    }
    return table;
}

int main(int argc, char **argv)
{
    int blocks = argc > 1 ? atoi(argv[1]) : 70;
    int side = argc > 2 ? atoi(argv[2]) : 25;
    if (blocks < 1 || blocks > 1000 || side < 1 || side > 1000) {
        fprintf(stderr, "usage: %s [BLOCKS [SIDE]]\n", argv[0]);
        return 2;
    }
    float **table = set_up(blocks, side);

    double start = omp_get_wtime();
    factorize(table, blocks, side);
    double end = omp_get_wtime();

    size_t entries = (size_t)side * side;
    uint64_t hash = HASH_OF_NOTHING;
    double sum = 0.0;
    int filled = 0;
    for (int i = 0; i < blocks * blocks; i++) {
        if (table[i] != NULL) {
            hash = hash_more(hash, table[i], entries * sizeof *table[i]);
            sum += sum_of_floats(table[i], entries);
            filled++;
        }
        free(table[i]);
    }
    printf("bits: %016" PRIx64 "\n", hash);
    printf("sum: %.7g\nblocks: %d\n", sum, filled);
    fprintf(stderr, "time: %.6f s\n", end - start);
    free(table);
    return 0;
}
