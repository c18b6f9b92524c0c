/* Alignment of two sequences after Needleman and Wunsch, one anti-diagonal after the other.
 *
 * The loops stand in one function with the input, messages and the output. A scalar holds the
 * linearized place of an element, the second half counts down, and the maximum of three is a call.
 * As the loops go by a size that counts one more row and column, those last ones stay as they are.
 *
 * usage: nw [N [PENALTY]]
 */
#include <omp.h>

#include "../harness.h"

#define PARALLEL

int maximum(int a, int b, int c)
{
    int larger = a;
    if (b >= a) {
        larger = b;
    }
    if (larger <= c) {
        return (c);
    } else {
        return (larger);
    }
}

/* Equal bases score 5; a purine for a purine, or a pyrimidine for one, is the milder error. */
static int similarity[4][4] = {{5, -4, -1, -4}, {-4, 5, -4, -1}, {-1, -4, 5, -4}, {-4, -1, -4, 5}};

int align(int n, int penalty, int threads)
{
    int rows = n + 1, columns = n + 1, along, place;
    size_t count = (size_t)rows * columns;
    int *score = (int *)zeroed(count, sizeof *score);
    int *gain = (int *)zeroed(count, sizeof *gain);
    uint64_t state = 1970;

    for (int i = 1; i < rows; i++) {
        score[i * columns] = (int)(4.0 * next_number(&state));
    }
    for (int j = 1; j < columns; j++) {
        score[j] = (int)(4.0 * next_number(&state));
    }
    for (int i = 1; i < rows; i++) {
        for (int j = 1; j < columns; j++) {
            gain[i * columns + j] = similarity[score[i * columns]][score[j]];
        }
    }
    for (int i = 1; i < rows; i++) {
        score[i * columns] = -i * penalty;
    }
    for (int j = 1; j < columns; j++) {
        score[j] = -j * penalty;
    }

    printf("upper left half\n");
    double start = omp_get_wtime();
    for (int i = 0; i < columns - 2; i++) {
#ifdef PARALLEL
        omp_set_num_threads(threads);
#pragma omp parallel for shared(score) firstprivate(i, columns, penalty) private(along, place)
#endif
        for (along = 0; along <= i; along++) {
            place = (along + 1) * columns + (i + 1 - along);
            score[place] = maximum(score[place - 1 - columns] + gain[place],
                                   score[place - 1] - penalty, score[place - columns] - penalty);
        }
    }
    printf("lower right half\n");
    for (int i = columns - 4; i >= 0; i--) {
#ifdef PARALLEL
        omp_set_num_threads(threads);
#pragma omp parallel for shared(score) firstprivate(i, columns, penalty) private(along, place)
#endif
        for (along = 0; along <= i; along++) {
            place = (columns - along - 2) * columns + along + columns - i - 2;
            score[place] = maximum(score[place - 1 - columns] + gain[place],
                                   score[place - 1] - penalty, score[place - columns] - penalty);
        }
    }
    double end = omp_get_wtime();

    printf("bits: %016" PRIx64 "\n", hash_of(score, count * sizeof *score));
    printf("score: %d\n", score[(size_t)n * columns - 2]);
    fprintf(stderr, "time: %.6f s\n", end - start);
    free(score);
    free(gain);
    return 0;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 4096;
    int penalty = argc > 2 ? atoi(argv[2]) : 10;
    if (n < 2 || n > 30000 || penalty < 0 || penalty > 1000) {
        fprintf(stderr, "usage: %s [N [PENALTY]]\n", argv[0]);
        return 2;
    }
    return align(n, penalty, omp_get_max_threads());
}
