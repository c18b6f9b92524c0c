/* Sorting the rows of a table: the work is in a library call, of which nothing may be assumed.
 *
 * usage: sort_rows [ROWS [COLUMNS]]
 */
#include <inttypes.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static int by_value(const void *left, const void *right)
{
    int a = *(const int *)left, b = *(const int *)right;
    return (a > b) - (a < b);
}

/* Sort each row; median[i] becomes the middle of row i. */
void sort_rows(int rows, int columns, int table[rows][columns], int median[rows])
{
#pragma omp parallel for
    for (int i = 0; i < rows; i++) {
        qsort(table[i], columns, sizeof table[i][0], by_value);
        median[i] = table[i][columns / 2];
    }
}

static void set_up(size_t count, int *table)
{
    uint32_t state = 12345;
    for (size_t i = 0; i < count; i++) {
        state = state * 1664525u + 1013904223u;
        table[i] = (int)(state >> 8);
    }
}

/* 64-bit FNV-1a over the elements. */
static uint64_t hash(const int *values, size_t count)
{
    uint64_t result = 0xcbf29ce484222325u;
    for (size_t i = 0; i < count; i++) {
        result = (result ^ (uint32_t)values[i]) * 0x100000001b3u;
    }
    return result;
}

int main(int argc, char **argv)
{
    int rows = argc > 1 ? atoi(argv[1]) : 1000;
    int columns = argc > 2 ? atoi(argv[2]) : 2000;
    if (rows < 1 || columns < 1) {
        fprintf(stderr, "usage: %s [ROWS [COLUMNS]]\n", argv[0]);
        return 2;
    }
    size_t count = (size_t)rows * columns;
    int *table = malloc(count * sizeof *table);
    int *median = calloc(rows, sizeof *median);
    if (!table || !median) {
        fprintf(stderr, "%s: out of memory\n", argv[0]);
        return 1;
    }
    set_up(count, table);

    double start = omp_get_wtime();
    sort_rows(rows, columns, (int (*)[columns])table, median);
    double end = omp_get_wtime();

    printf("bits: %016" PRIx64 " %016" PRIx64 "\n", hash(table, count), hash(median, rows));
    fprintf(stderr, "time: %.6f s\n", end - start);
    free(table);
    free(median);
    return 0;
}
