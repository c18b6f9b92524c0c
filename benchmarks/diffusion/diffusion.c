/* Weights of an image's points by differences to neighbours that tables name, and their limits.
 *
 * usage: diffusion [POINTS [REPETITIONS]]
 */
#include "../harness.h"
#include <time.h>

static void weigh(int n, const float *restrict image, const int *up, const int *down,
                  float *restrict above, float *restrict below, float *restrict weight)
{
    float here, square, sum;
    for (int i = 0; i < n; i++) {
        here = image[i];
        above[i] = image[up[i]] - here;
        below[i] = image[down[i]] - here;
        square = (above[i] * above[i] + below[i] * below[i]) / (here * here);
        sum = (above[i] + below[i]) / here;
        weight[i] = 1.0f / (1.0f + square - sum) - 0.125f;
        if (weight[i] < 0) {
            weight[i] = 0;
        } else if (weight[i] > 0.75f) {
            weight[i] = 0.75f;
        }
    }
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 100000;
    int repetitions = argc > 2 ? atoi(argv[2]) : 200;
    if (n < 1 || repetitions < 1) {
        fprintf(stderr, "usage: %s [POINTS [REPETITIONS]]\n", argv[0]);
        return 2;
    }
    float *image = zeroed((size_t)n, sizeof *image), *weight = zeroed((size_t)n, sizeof *weight);
    float *above = zeroed((size_t)n, sizeof *above), *below = zeroed((size_t)n, sizeof *below);
    int *up = zeroed((size_t)n, sizeof *up), *down = zeroed((size_t)n, sizeof *down);
    uint64_t state = 5;
    for (int i = 0; i < n; i++) {
        image[i] = 1.0f + (float)next_number(&state);
        up[i] = i >= 300 ? i - 300 : i;
        down[i] = i + 300 < n ? i + 300 : i;
    }

    struct timespec start, end;
    timespec_get(&start, TIME_UTC);
    for (int k = 0; k < repetitions; k++) {
        weigh(n, image, up, down, above, below, weight);
    }
    timespec_get(&end, TIME_UTC);

    printf("bits: %016" PRIx64 "\n", hash_of(weight, (size_t)n * sizeof *weight));
    printf("sum: %.6f\n", sum_of_floats(weight, (size_t)n));
    fprintf(stderr, "time: %.6f s\n",
            (double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec));
    free(image);
    free(weight);
    free(above);
    free(below);
    free(up);
    free(down);
    return 0;
}
