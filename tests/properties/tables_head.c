#include <stdlib.h>
#include "numbers.h"

static char pool[1 << 17];
static long used;
static void *take(long bytes) { used += (bytes + 15) / 16 * 16; return pool + used; }

static void *table(int kind, int n, int m, long size)
{
    char **rows = malloc(n * sizeof *rows), *block = take(n * m * size);
    for (int i = 0; i < n; i++) {
        int at[] = {i, n - 1 - i, i, (i * 7 + 3) % n, i % (n / 2 + 1), i};
        rows[i] = kind == 2 ? take(m * size) : block + at[kind] * (kind == 5 ? 3 : m) * size;
    }
    take(n * m * size);
    return rows;
}
