/* Forces of charges on each other, added up in records through pointers.
 *
 * usage: forces [CHARGES [REPETITIONS]]
 */
#include "../harness.h"
#include <time.h>

typedef struct {
    double x, y, z;
} point;

static void add_forces(int n, const point *at, const double *charge, point *force)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            double x = at[i].x - at[j].x, y = at[i].y - at[j].y, z = at[i].z - at[j].z;
            double pull = charge[j] / (1.0 + x * x + y * y + z * z);
            force[i].x += pull * x;
            force[i].y += pull * y;
            force[i].z += pull * z;
        }
    }
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 4000;
    int repetitions = argc > 2 ? atoi(argv[2]) : 10;
    if (n < 1 || repetitions < 1) {
        fprintf(stderr, "usage: %s [CHARGES [REPETITIONS]]\n", argv[0]);
        return 2;
    }
    point *at = zeroed((size_t)n, sizeof *at), *force = zeroed((size_t)n, sizeof *force);
    double *charge = zeroed((size_t)n, sizeof *charge);
    uint64_t state = 11;
    for (int i = 0; i < n; i++) {
        at[i].x = next_number(&state);
        at[i].y = next_number(&state);
        at[i].z = next_number(&state);
        charge[i] = next_number(&state) - 0.5;
    }

    struct timespec start, end;
    timespec_get(&start, TIME_UTC);
    for (int k = 0; k < repetitions; k++) {
        add_forces(n, at, charge, force);
    }
    timespec_get(&end, TIME_UTC);

    printf("bits: %016" PRIx64 "\n", hash_of(force, (size_t)n * sizeof *force));
    printf("first: %.6f\n", force[0].x);
    fprintf(stderr, "time: %.6f s\n",
            (double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec));
    free(at);
    free(force);
    free(charge);
    return 0;
}
