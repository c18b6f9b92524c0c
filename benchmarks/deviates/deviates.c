/* Rows of random numbers, each row begun with a seed of its own, and how many lie where.
 *
 * usage: deviates [ROWS [COLUMNS]]
 */
#include "../harness.h"
#include <time.h>

#define CELLS 10
#define MOST 20000

static double numbers[MOST], ends[MOST];
static long cells[CELLS];

/* Numbers in [0, 1): each follows from the one before. */
static void fill(int count, double *seed, double *row)
{
    double x = *seed;
    for (int i = 0; i < count; i++) {
        double y = 16807.0 * x;
        long quotient = (long)(y / 2147483647.0);
        x = y - (double)quotient * 2147483647.0;
        row[i] = x / 2147483647.0;
    }
    *seed = x;
}

static void count(int rows, int columns)
{
    for (int k = 0; k < rows; k++) {
        double seed = 1 + (double)k * 7919;
        fill(columns, &seed, numbers);
        for (int i = 0; i < columns; i++) {
            cells[(int)(numbers[i] * CELLS)] += 1;
        }
        ends[k] = seed;
    }
}

int main(int argc, char **argv)
{
    int rows = argc > 1 ? atoi(argv[1]) : 4000;
    int columns = argc > 2 ? atoi(argv[2]) : 10000;
    if (rows < 1 || columns < 1 || rows > MOST || columns > MOST) {
        fprintf(stderr, "usage: %s [ROWS [COLUMNS]]\n", argv[0]);
        return 2;
    }

    struct timespec start, end;
    timespec_get(&start, TIME_UTC);
    count(rows, columns);
    timespec_get(&end, TIME_UTC);

    uint64_t hash = hash_of(ends, (size_t)rows * sizeof *ends);
    printf("bits: %016" PRIx64 "\n", hash_more(hash, cells, sizeof cells));
    printf("first cell: %ld\n", cells[0]);
    fprintf(stderr, "time: %.6f s\n",
            (double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec));
    return 0;
}
