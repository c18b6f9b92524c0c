/* Walks over a ring, each in the cell where the one before has ended: nothing to be interleaved.
 *
 * usage: walks [WALKS [STEPS]]
 */
#include "../harness.h"
#include <time.h>

/* Where a walk by a table of neighbours ends; each step follows from the one before. */
static void walk(int steps, const int *next, int *cell, int *passed)
{
    int at = *cell;
    for (int i = 0; i < steps; i++) {
        at = next[at];
        passed[i] = at;
    }
    *cell = at;
}

static int all(int walks, int steps, const int *next, int *passed, int *visits)
{
    int cell = 0;
    for (int k = 0; k < walks; k++) {
        walk(steps, next, &cell, passed);
        for (int i = 0; i < steps; i++) {
            visits[passed[i]] += 1;
        }
    }
    return cell;
}

int main(int argc, char **argv)
{
    int walks = argc > 1 ? atoi(argv[1]) : 4000;
    int steps = argc > 2 ? atoi(argv[2]) : 10000;
    if (walks < 1 || steps < 1) {
        fprintf(stderr, "usage: %s [WALKS [STEPS]]\n", argv[0]);
        return 2;
    }
    int cells = 4096;
    int *next = zeroed((size_t)cells, sizeof *next), *visits = zeroed((size_t)cells, sizeof *visits);
    int *passed = zeroed((size_t)steps, sizeof *passed);
    for (int i = 0; i < cells; i++) {
        next[i] = (5 * i + 3) % cells;
    }

    struct timespec start, end;
    timespec_get(&start, TIME_UTC);
    int last = all(walks, steps, next, passed, visits);
    timespec_get(&end, TIME_UTC);

    printf("bits: %016" PRIx64 "\n", hash_of(visits, (size_t)cells * sizeof *visits));
    printf("last: %d\n", last);
    fprintf(stderr, "time: %.6f s\n",
            (double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec));
    free(next);
    free(visits);
    free(passed);
    return 0;
}
