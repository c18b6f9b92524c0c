/* Cholesky decomposition of a matrix that is stored in tiles: a task for each tile and operation.
 *
 * A descriptor, passed by value, says how large the tiles are and where they lie; the address of
 * one is computed in bytes from an untyped pointer, and the tiles at the lower and right edge,
 * which may be smaller, are kept apart. Within a tile, columns are contiguous.
 *
 * usage: cholesky [N [TILE]]
 */
#include <math.h>
#include <omp.h>

#include "../harness.h"

enum precision { SINGLE, DOUBLE };

struct descriptor {
    void *matrix;
    size_t below, right, corner; /* where the edge tiles begin, in elements */
    enum precision precision;
    int tile_rows, tile_columns, tile_elements;
    int rows, columns;
    int whole_down, whole_across; /* tiles that are not cut off */
    int down, across;             /* all tiles */
};

#define TILE(A, i, j) ((double *)tile_address(A, i, j))
#define TILE_HEIGHT(A, i) ((i) < (A).whole_down ? (A).tile_rows : (A).rows % (A).tile_rows)

static inline int element_size(enum precision precision)
{
    switch (precision) {
    case SINGLE:
        return sizeof(float);
    case DOUBLE:
        return sizeof(double);
    default:
        fprintf(stderr, "cholesky: no such precision\n");
        return -1;
    }
}

static inline void *tile_address(struct descriptor A, int i, int j)
{
    size_t row = i, column = j, offset;

    if (row < (size_t)A.whole_down) {
        if (column < (size_t)A.whole_across) {
            offset = A.tile_elements * (row + (size_t)A.whole_down * column);
        } else {
            offset = A.right + (size_t)A.tile_rows * (A.columns % A.tile_columns) * row;
        }
    } else if (column < (size_t)A.whole_across) {
        offset = A.below + (size_t)A.tile_columns * (A.rows % A.tile_rows) * column;
    } else {
        offset = A.corner;
    }
    return (char *)A.matrix + offset * element_size(A.precision);
}

static struct descriptor described(int n, int tile)
{
    struct descriptor A = {.precision = DOUBLE, .tile_rows = tile, .tile_columns = tile};
    A.tile_elements = tile * tile;
    A.rows = A.columns = n;
    A.whole_down = A.whole_across = n / tile;
    A.down = A.across = (n + tile - 1) / tile;
    A.below = (size_t)A.whole_down * A.whole_across * A.tile_elements;
    A.right = A.below + (size_t)(n % tile) * tile * A.whole_across;
    A.corner = A.right + (size_t)(n % tile) * tile * A.whole_down;
    A.matrix = zeroed((size_t)n * n, element_size(A.precision));
    return A;
}

/* The upper factor of a tile on the diagonal. */
static void factor(int size, double *a, int height)
{
    for (int j = 0; j < size; j++) {
        for (int i = 0; i <= j; i++) {
            double sum = a[i + j * height];
            for (int k = 0; k < i; k++) {
                sum -= a[k + i * height] * a[k + j * height];
            }
            a[i + j * height] = i == j ? sqrt(sum) : sum / a[i + i * height];
        }
    }
}

/* b = inverse of the transposed upper triangle of a, times b. */
static void solve(int rows, int columns, double *a, int height_a, double *b, int height_b)
{
    for (int j = 0; j < columns; j++) {
        for (int i = 0; i < rows; i++) {
            double sum = b[i + j * height_b];
            for (int k = 0; k < i; k++) {
                sum -= a[k + i * height_a] * b[k + j * height_b];
            }
            b[i + j * height_b] = sum / a[i + i * height_a];
        }
    }
}

/* c -= transposed a times b; of c only the upper triangle if it lies on the diagonal. */
static void subtract(int rows, int columns, int depth, const double *a, int height_a,
                     const double *b, int height_b, double *c, int height_c, int on_diagonal)
{
    for (int j = 0; j < columns; j++) {
        for (int i = 0; i < (on_diagonal ? j + 1 : rows); i++) {
            double sum = 0.0;
            for (int k = 0; k < depth; k++) {
                sum += a[k + i * height_a] * b[k + j * height_b];
            }
            c[i + j * height_c] -= sum;
        }
    }
}

void decompose(struct descriptor A)
{
    int k, m, n;
    int height_k, height_m, size_k, size_m;

    for (k = 0; k < A.across; k++) {
        size_k = k == A.across - 1 ? A.columns - k * A.tile_columns : A.tile_columns;
        height_k = TILE_HEIGHT(A, k);
        double *a = TILE(A, k, k);
#pragma omp task depend(inout : a[0 : A.tile_rows * A.tile_rows])
        {
            factor(size_k, a, height_k);
        }
        for (m = k + 1; m < A.across; m++) {
            size_m = m == A.across - 1 ? A.columns - m * A.tile_columns : A.tile_columns;
            double *a = TILE(A, k, k);
            double *b = TILE(A, k, m);
#pragma omp task depend(in : a[0 : A.tile_rows * A.tile_rows]) \
    depend(inout : b[0 : A.tile_rows * A.tile_rows])
            solve(A.tile_rows, size_m, a, height_k, b, height_k);
        }
        for (m = k + 1; m < A.across; m++) {
            size_m = m == A.across - 1 ? A.columns - m * A.tile_columns : A.tile_columns;
            height_m = TILE_HEIGHT(A, m);
            double *a = TILE(A, k, m);
            double *b = TILE(A, m, m);
#pragma omp task depend(in : a[0 : A.tile_rows * A.tile_rows]) \
    depend(inout : b[0 : A.tile_rows * A.tile_rows])
            {
                subtract(size_m, size_m, A.tile_rows, a, height_k, a, height_k, b, height_m, 1);
            }
            for (n = k + 1; n < m; n++) {
                double *a = TILE(A, k, n);
                double *b = TILE(A, k, m);
                double *c = TILE(A, n, m);
#pragma omp task depend(in : a[0 : A.tile_rows * A.tile_rows], b[0 : A.tile_rows * A.tile_rows]) \
    depend(inout : c[0 : A.tile_rows * A.tile_rows])
                subtract(A.tile_rows, size_m, A.tile_rows, a, height_k, b, height_k, c,
                         A.tile_rows, 0);
            }
        }
    }
}

/* Symmetric, and large on the diagonal, so positive definite; the part below it stays unused. */
static void set_up(struct descriptor A)
{
    for (int row = 0; row < A.rows; row++) {
        for (int column = 0; column < A.columns; column++) {
            int i = row / A.tile_rows, j = column / A.tile_columns;
            double *tile = TILE(A, i, j);
            tile[row % A.tile_rows + column % A.tile_columns * TILE_HEIGHT(A, i)] =
                row == column ? A.rows : (row + column) * 37 % 101 / 100.0 - 0.5;
        }
    }
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1536;
    int tile = argc > 2 ? atoi(argv[2]) : 64;
    if (n < 1 || n > 30000 || tile < 1 || tile > 4096) {
        fprintf(stderr, "usage: %s [N [TILE]]\n", argv[0]);
        return 2;
    }
    struct descriptor A = described(n, tile);
    set_up(A);

    double start = omp_get_wtime();
#pragma omp parallel
#pragma omp master
    decompose(A);
    double end = omp_get_wtime();

    size_t count = (size_t)n * n;
    printf("bits: %016" PRIx64 "\n", hash_of(A.matrix, count * sizeof(double)));
    printf("sum: %.12g\n", sum_of_doubles(A.matrix, count));
    fprintf(stderr, "time: %.6f s\n", end - start);
    free(A.matrix);
    return 0;
}
