/* LU decomposition without pivoting, row i of U and then column i of L, in place.
 *
 * Subscripts are linearized, loops are triangular, each element is accumulated in a scalar, and
 * the number of threads is set anew for every row, from a variable that other files may change.
 *
 * usage: lud [N]
 */
#include <omp.h>

#include "../harness.h"

int thread_count = 1;

void factor(float *m, int size)
{
    int i, j, k;
    float left;

    printf("threads set by the program\n");
    for (i = 0; i < size; i++) {
        omp_set_num_threads(thread_count);
#pragma omp parallel for default(none) private(j, k, left) shared(size, i, m)
        for (j = i; j < size; j++) {
            left = m[i * size + j];
            for (k = 0; k < i; k++) {
                left -= m[i * size + k] * m[k * size + j];
            }
            m[i * size + j] = left;
        }
#pragma omp parallel for default(none) private(j, k, left) shared(size, i, m)
        for (j = i + 1; j < size; j++) {
            left = m[j * size + i];
            for (k = 0; k < i; k++) {
                left -= m[j * size + k] * m[k * size + i];
            }
            m[j * size + i] = left / m[i * size + i];
        }
    }
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1024;
    if (n < 1 || n > 20000) {
        fprintf(stderr, "usage: %s [N]\n", argv[0]);
        return 2;
    }
    size_t count = (size_t)n * n;
    float *m = zeroed(count, sizeof *m);
    uint64_t state = 1938;
    for (size_t i = 0; i < count; i++) {
        m[i] = (float)next_number(&state) + (i % ((size_t)n + 1) == 0 ? (float)n : 0.0f);
    }
    thread_count = omp_get_max_threads();

    double start = omp_get_wtime();
    factor(m, n);
    double end = omp_get_wtime();

    printf("bits: %016" PRIx64 "\n", hash_of(m, count * sizeof *m));
    printf("sum: %.7g\n", sum_of_floats(m, count));
    fprintf(stderr, "time: %.6f s\n", end - start);
    free(m);
    return 0;
}
