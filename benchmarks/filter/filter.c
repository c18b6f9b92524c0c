/* A box filter over an image and the statistics of what it leaves: integer reductions.
 *
 * usage: filter [N [ROUNDS]]
 */
#include <inttypes.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    int64_t total;
    int peak;
} Statistics;

/* Smooth image into smooth and measure how far the two are apart. */
Statistics measure(int n, int image[n][n], int smooth[n][n])
{
    int64_t total = 0;
    int peak = 0;

#pragma omp parallel for
    for (int i = 1; i < n - 1; i++) {
        for (int j = 1; j < n - 1; j++) {
            smooth[i][j] = (image[i - 1][j - 1] + image[i - 1][j] + image[i - 1][j + 1]
                            + image[i][j - 1] + image[i][j] + image[i][j + 1] + image[i + 1][j - 1]
                            + image[i + 1][j] + image[i + 1][j + 1]) / 9;
        }
    }
#pragma omp parallel for reduction(+ : total) reduction(max : peak)
    for (int i = 1; i < n - 1; i++) {
        for (int j = 1; j < n - 1; j++) {
            int gap = image[i][j] - smooth[i][j];
            total += gap * gap;
            peak = gap > peak ? gap : peak;
        }
    }
    return (Statistics){total, peak};
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
    int n = argc > 1 ? atoi(argv[1]) : 3000;
    int rounds = argc > 2 ? atoi(argv[2]) : 16;
    if (n < 3 || n > 30000 || rounds < 1) {
        fprintf(stderr, "usage: %s [N [ROUNDS]]\n", argv[0]);
        return 2;
    }
    size_t count = (size_t)n * n;
    int *image = malloc(count * sizeof *image);
    int *smooth = calloc(count, sizeof *smooth);
    if (!image || !smooth) {
        fprintf(stderr, "%s: out of memory\n", argv[0]);
        return 1;
    }
    for (size_t i = 0; i < count; i++) {
        image[i] = (int)(i * 97 % 251);
    }

    Statistics last = {0, 0};
    double start = omp_get_wtime();
    for (int round = 0; round < rounds; round++) {
        last = measure(n, (int (*)[n])image, (int (*)[n])smooth);
    }
    double end = omp_get_wtime();

    printf("bits: %016" PRIx64 "\n", hash(smooth, count));
    printf("total: %" PRId64 "\npeak: %d\n", last.total, last.peak);
    fprintf(stderr, "time: %.6f s\n", end - start);
    free(image);
    free(smooth);
    return 0;
}
