/* Waves in space, of order 8: more places in memory than gcc compares before it makes vectors.
 *
 * usage: waves [SIZE [STEPS]]
 */
#include "../harness.h"
#include <time.h>

#define AT(i, j, k) (((i) * n + (j)) * n + (k))

static const float C[5] = {-2.847222f, 1.6f, -0.2f, 0.025396825f, -0.0017857143f};

static void step(int n, const float *old, const float *now, const float *speed, float *next)
{
    for (int i = 4; i < n - 4; i++)
        for (int j = 4; j < n - 4; j++)
            for (int k = 4; k < n - 4; k++) {
                float sum = 3 * C[0] * now[AT(i, j, k)];
                sum += C[1] * (now[AT(i, j, k - 1)] + now[AT(i, j, k + 1)]
                               + now[AT(i, j - 1, k)] + now[AT(i, j + 1, k)]
                               + now[AT(i - 1, j, k)] + now[AT(i + 1, j, k)]);
                sum += C[2] * (now[AT(i, j, k - 2)] + now[AT(i, j, k + 2)]
                               + now[AT(i, j - 2, k)] + now[AT(i, j + 2, k)]
                               + now[AT(i - 2, j, k)] + now[AT(i + 2, j, k)]);
                sum += C[3] * (now[AT(i, j, k - 3)] + now[AT(i, j, k + 3)]
                               + now[AT(i, j - 3, k)] + now[AT(i, j + 3, k)]
                               + now[AT(i - 3, j, k)] + now[AT(i + 3, j, k)]);
                sum += C[4] * (now[AT(i, j, k - 4)] + now[AT(i, j, k + 4)]
                               + now[AT(i, j - 4, k)] + now[AT(i, j + 4, k)]
                               + now[AT(i - 4, j, k)] + now[AT(i + 4, j, k)]);
                next[AT(i, j, k)] = 2 * now[AT(i, j, k)] - old[AT(i, j, k)]
                                    + speed[AT(i, j, k)] * sum;
            }
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 160;
    int steps = argc > 2 ? atoi(argv[2]) : 8;
    if (n < 9 || n > 1000 || steps < 0) {
        fprintf(stderr, "usage: %s [SIZE [STEPS]]\n", argv[0]);
        return 2;
    }
    size_t count = (size_t)n * (size_t)n * (size_t)n;
    float *old = zeroed(count, sizeof *old), *now = zeroed(count, sizeof *now);
    float *next = zeroed(count, sizeof *next), *speed = zeroed(count, sizeof *speed);
    uint64_t state = 3;
    for (size_t i = 0; i < count; i++) speed[i] = 0.05f + 0.01f * (float)next_number(&state);
    now[AT(n / 2, n / 2, n / 2)] = 1.0f;

    struct timespec start, end;
    timespec_get(&start, TIME_UTC);
    for (int t = 0; t < steps; t++) {
        step(n, old, now, speed, next);
        float *last = old;
        old = now;
        now = next;
        next = last;
    }
    timespec_get(&end, TIME_UTC);

    printf("bits: %016" PRIx64 "\n", hash_of(now, count * sizeof *now));
    printf("sum: %.6f\n", sum_of_floats(now, count));
    fprintf(stderr, "time: %.6f s\n",
            (double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec));
    free(old), free(now), free(next), free(speed);
    return 0;
}
