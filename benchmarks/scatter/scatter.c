/* Moving elements along a permutation: every store goes where a table says.
 *
 * Only the table makes the stores distinct, so nothing may be reordered across the two loops.
 *
 * usage: scatter [COUNT [ROUNDS]]
 */
#include <inttypes.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void shuffle(int count, int rounds, double *from, double *to, const int *place)
{
    for (int round = 0; round < rounds; round++) {
#pragma omp parallel for
        for (int i = 0; i < count; i++) {
            to[place[i]] = from[i] + 1.0;
        }
#pragma omp parallel for
        for (int i = 0; i < count; i++) {
            from[i] = to[i] * 0.5;
        }
    }
}

/* place becomes a permutation of 0 to count - 1 (Fisher and Yates, with a fixed generator). */
static void set_up(int count, double *from, int *place)
{
    uint64_t state = 1;
    for (int i = 0; i < count; i++) {
        from[i] = i % 1000;
        place[i] = i;
    }
    for (int i = count - 1; i > 0; i--) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        int other = (int)((state >> 33) % (uint64_t)(i + 1));
        int kept = place[i];
        place[i] = place[other];
        place[other] = kept;
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
    int count = argc > 1 ? atoi(argv[1]) : 4000000;
    int rounds = argc > 2 ? atoi(argv[2]) : 10;
    if (count < 1 || rounds < 0) {
        fprintf(stderr, "usage: %s [COUNT [ROUNDS]]\n", argv[0]);
        return 2;
    }
    double *from = malloc(count * sizeof *from);
    double *to = calloc(count, sizeof *to);
    int *place = malloc(count * sizeof *place);
    if (!from || !to || !place) {
        fprintf(stderr, "%s: out of memory\n", argv[0]);
        return 1;
    }
    set_up(count, from, place);

    double start = omp_get_wtime();
    shuffle(count, rounds, from, to, place);
    double end = omp_get_wtime();

    printf("bits: %016" PRIx64 " %016" PRIx64 "\n", hash(from, count), hash(to, count));
    fprintf(stderr, "time: %.6f s\n", end - start);
    free(from);
    free(to);
    free(place);
    return 0;
}
