/* Rows of hashes, each begun with the end of the row before: one chain, nothing to be shared.
 *
 * usage: chained [ROWS [COLUMNS]]
 */
#include "../harness.h"
#include <time.h>

static uint32_t chain(int rows, int columns, const uint32_t *data, uint32_t *ends)
{
    uint32_t state = 17;
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < columns; j++) {
            state = (state ^ data[(size_t)i * (size_t)columns + (size_t)j]) * 16777619u;
        }
        ends[i] = state;
    }
    return state;
}

int main(int argc, char **argv)
{
    int rows = argc > 1 ? atoi(argv[1]) : 4000;
    int columns = argc > 2 ? atoi(argv[2]) : 10000;
    if (rows < 1 || columns < 1) {
        fprintf(stderr, "usage: %s [ROWS [COLUMNS]]\n", argv[0]);
        return 2;
    }
    size_t count = (size_t)rows * (size_t)columns;
    uint32_t *data = zeroed(count, sizeof *data), *ends = zeroed((size_t)rows, sizeof *ends);
    for (size_t i = 0; i < count; i++) {
        data[i] = (uint32_t)(i * 2654435761u);
    }

    struct timespec start, end;
    timespec_get(&start, TIME_UTC);
    uint32_t last = chain(rows, columns, data, ends);
    timespec_get(&end, TIME_UTC);

    printf("bits: %016" PRIx64 "\n", hash_of(ends, (size_t)rows * sizeof *ends));
    printf("last: %" PRIu32 "\n", last);
    fprintf(stderr, "time: %.6f s\n",
            (double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec));
    free(data);
    free(ends);
    return 0;
}
