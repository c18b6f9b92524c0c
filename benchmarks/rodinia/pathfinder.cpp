/* The cheapest way through a grid, row by row: a step down goes straight or to a neighbour.
 *
 * Two rows of costs change places by their pointers before each step, the grid is a table of
 * pointers to rows, and everything is global.
 *
 * usage: pathfinder [COLUMNS [ROWS]]
 */
#include <omp.h>

#include "../harness.h"

#define LESSER(a, b) ((a) <= (b) ? (a) : (b))

int rows, columns;
int *cells;
int **grid;
int *cheapest;

static void set_up()
{
    uint64_t state = 9;
    cells = new int[(size_t)rows * columns];
    grid = new int *[rows];
    for (int r = 0; r < rows; r++) {
        grid[r] = cells + (size_t)columns * r;
    }
    cheapest = new int[columns];
    for (int r = 0; r < rows; r++) {
        for (int c = 0; c < columns; c++) {
            grid[r][c] = (int)(10.0 * next_number(&state));
        }
    }
    for (int c = 0; c < columns; c++) {
        cheapest[c] = grid[0][c];
    }
}

void run()
{
    int *from, *to, *spare;
    int least;

    set_up();
    to = cheapest;
    from = new int[columns];

    double start = omp_get_wtime();
    for (int t = 0; t < rows - 1; t++) {
        spare = from;
        from = to;
        to = spare;
#pragma omp parallel for private(least)
        for (int n = 0; n < columns; n++) {
            least = from[n];
            if (n > 0)
                least = LESSER(least, from[n - 1]);
            if (n < columns - 1)
                least = LESSER(least, from[n + 1]);
            to[n] = grid[t + 1][n] + least;
        }
    }
    double end = omp_get_wtime();

    printf("bits: %016" PRIx64 "\n", hash_of(to, (size_t)columns * sizeof *to));
    printf("costs: %d to %d\n", to[0], to[columns - 1]);
    fprintf(stderr, "time: %.6f s\n", end - start);
    delete[] cells;
    delete[] grid;
    delete[] to;
    delete[] from;
}

int main(int argc, char **argv)
{
    columns = argc > 1 ? atoi(argv[1]) : 1000000;
    rows = argc > 2 ? atoi(argv[2]) : 100;
    if (columns < 1 || rows < 2 || rows > 2000000000 / columns) {
        fprintf(stderr, "usage: %s [COLUMNS [ROWS]]\n", argv[0]);
        return 2;
    }
    run();
    return 0;
}
