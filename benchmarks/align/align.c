/* Global alignment of two sequences: a dynamic program, filled one anti-diagonal after the other.
 *
 * The first loop nest covers the upper left triangle with the main anti-diagonal, the second the
 * rest. Neighbours on an anti-diagonal are a row less a column apart, far away in memory.
 *
 * usage: align [N]
 */
#include <inttypes.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#define GAP 10

static int best(int a, int b, int c)
{
    int larger = a > b ? a : b;
    return larger > c ? larger : c;
}

/* Fill rows and columns 1 to n of score, which has n + 1 columns; row 0 and column 0 are given. */
void fill(int n, int *score, const int *match)
{
    int columns = n + 1;
    int index;

    for (int d = 0; d < n; d++) {
#pragma omp parallel for private(index)
        for (int r = 0; r <= d; r++) {
            index = (r + 1) * columns + (d + 1 - r);
            score[index] = best(score[index - 1 - columns] + match[index], score[index - 1] - GAP,
                                score[index - columns] - GAP);
        }
    }
    for (int d = n - 2; d >= 0; d--) {
#pragma omp parallel for private(index)
        for (int r = 0; r <= d; r++) {
            index = (n - r) * columns + (n - d + r);
            score[index] = best(score[index - 1 - columns] + match[index], score[index - 1] - GAP,
                                score[index - columns] - GAP);
        }
    }
}

static void set_up(int n, int *score, int *match)
{
    for (int i = 0; i <= n; i++) {
        for (int j = 0; j <= n; j++) {
            score[i * (n + 1) + j] = i == 0 ? -j * GAP : j == 0 ? -i * GAP : 0;
            match[i * (n + 1) + j] = i * i % 20 == j * j % 20 ? 5 : (i * 3 + j) % 8 - 4;
        }
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
    int n = argc > 1 ? atoi(argv[1]) : 6000;
    if (n < 1 || n > 20000) {
        fprintf(stderr, "usage: %s [N]\n", argv[0]);
        return 2;
    }
    size_t count = (size_t)(n + 1) * (n + 1);
    int *score = malloc(count * sizeof *score);
    int *match = malloc(count * sizeof *match);
    if (!score || !match) {
        fprintf(stderr, "%s: out of memory\n", argv[0]);
        return 1;
    }
    set_up(n, score, match);

    double start = omp_get_wtime();
    fill(n, score, match);
    double end = omp_get_wtime();

    printf("bits: %016" PRIx64 "\n", hash(score, count));
    printf("score: %d\n", score[count - 1]);
    fprintf(stderr, "time: %.6f s\n", end - start);
    free(score);
    free(match);
    return 0;
}
