/* Tracking a bright spot with a particle filter: per frame a chain of parallel loops.
 *
 * Each particle moves, is weighed by the pixels around it, and contributes to the estimate. The
 * sum of the weights is formed in order, so that the result does not depend on the threads.
 *
 * usage: particles [COUNT [FRAMES]]
 */
#include <inttypes.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 128, SPOT = 49 };

void track(int count, int frames, double *x, double *y, double *likelihood, double *weight,
           const int *image, const int *spot)
{
    for (int frame = 0; frame < frames; frame++) {
#pragma omp parallel for
        for (int p = 0; p < count; p++) {
            x[p] += 1.0 + ((p * 7 + frame) % 11 - 5) * 0.1;
            y[p] += -1.0 + ((p * 5 + frame) % 13 - 6) * 0.1;
        }
#pragma omp parallel for
        for (int p = 0; p < count; p++) {
            likelihood[p] = 0.0;
            for (int s = 0; s < SPOT; s++) {
                int column = (int)x[p] + spot[2 * s], row = (int)y[p] + spot[2 * s + 1];
                int pixel = image[(row & (SIDE - 1)) * SIDE + (column & (SIDE - 1))];
                likelihood[p] += (pixel - 100.0) * (pixel - 100.0) / 5000.0;
            }
            likelihood[p] = likelihood[p] / SPOT;
        }
#pragma omp parallel for
        for (int p = 0; p < count; p++) {
            weight[p] = weight[p] * exp(-likelihood[p]);
        }
        double total = 0.0;
        for (int p = 0; p < count; p++) {
            total += weight[p];
        }
#pragma omp parallel for
        for (int p = 0; p < count; p++) {
            weight[p] = weight[p] / total;
        }
    }
}

static void set_up(int count, double *x, double *y, double *weight, int *image, int *spot)
{
    for (int p = 0; p < count; p++) {
        x[p] = 40.0 + p % 50;
        y[p] = 60.0 + p % 37;
        weight[p] = 1.0 / count;
    }
    for (int i = 0; i < SIDE * SIDE; i++) {
        image[i] = (i * 71 + i / SIDE * 13) % 228;
    }
    for (int s = 0; s < SPOT; s++) {
        spot[2 * s] = s % 7 - 3;
        spot[2 * s + 1] = s / 7 - 3;
    }
}

/* 64-bit FNV-1a over the bit patterns. */
static uint64_t hash(const double *values, size_t count)
{
    uint64_t result = 0xcbf29ce484222325u;
    for (size_t i = 0; i < count; i++) {
        uint64_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        result = (result ^ bits) * 0x100000001b3u;
    }
    return result;
}

int main(int argc, char **argv)
{
    int count = argc > 1 ? atoi(argv[1]) : 40000;
    int frames = argc > 2 ? atoi(argv[2]) : 40;
    if (count < 1 || frames < 0) {
        fprintf(stderr, "usage: %s [COUNT [FRAMES]]\n", argv[0]);
        return 2;
    }
    double *x = malloc(count * sizeof *x), *y = malloc(count * sizeof *y);
    double *likelihood = calloc(count, sizeof *likelihood);
    double *weight = malloc(count * sizeof *weight);
    static int image[SIDE * SIDE], spot[2 * SPOT];
    if (!x || !y || !likelihood || !weight) {
        fprintf(stderr, "%s: out of memory\n", argv[0]);
        return 1;
    }
    set_up(count, x, y, weight, image, spot);

    double start = omp_get_wtime();
    track(count, frames, x, y, likelihood, weight, image, spot);
    double end = omp_get_wtime();

    double at_x = 0.0, at_y = 0.0;
    for (int p = 0; p < count; p++) {
        at_x += x[p] * weight[p];
        at_y += y[p] * weight[p];
    }
    printf("bits: %016" PRIx64 " %016" PRIx64 " %016" PRIx64 "\n", hash(x, count), hash(y, count),
           hash(weight, count));
    printf("position: %.9g %.9g\n", at_x, at_y);
    fprintf(stderr, "time: %.6f s\n", end - start);
    return 0;
}
