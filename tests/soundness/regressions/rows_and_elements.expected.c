/* Rows of 400 elements, and a loop over all of them: isl looked for a schedule for minutes. */
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 2000, LENGTH = 400 };

static void scale_rows(double *x, const double *by, int rows, int length) {
    {
        /* s2s: parallel loop over 'r' */
#ifdef _OPENMP
        extern int omp_get_max_threads(void);
        const int s2s_threads = omp_get_max_threads();
#else
        const int s2s_threads = 1;
#endif
        if (/* sizes for which this is right, and gains */
            rows == 2000 && length == 400
            /* enough for each thread */
            && s2s_threads > 1
            && 2000L >= 820L * s2s_threads
            /* 'by' and 'x' do not overlap */
            && ((const char *)(by + 2000L) <= (const char *)x
                || (const char *)(x + 2000L * (long)length) <= (const char *)by)) {
            const int length = 400;
#pragma omp parallel for
            for (int r = 0; r <= 1999; r++) {
                for (int i = 0; i <= 399; i++) {
                    x[r * length + i] *= by[r];
                }
            }
        } else {
    for (int r = 0; r < rows; r++)
        for (int i = 0; i < length; i++)
            x[r * length + i] *= by[r];
        }
    }
}

int main(void) {
    double *x = malloc(ROWS * LENGTH * sizeof *x), *by = malloc(ROWS * sizeof *by);
    for (int i = 0; i < ROWS * LENGTH; i++)
        x[i] = i % 17;
    for (int r = 0; r < ROWS; r++)
        by[r] = 1 + r % 3;
    {
        /* s2s: parallel loop over 'i' */
#ifdef _OPENMP
        extern int omp_get_max_threads(void);
        const int s2s_threads = omp_get_max_threads();
#else
        const int s2s_threads = 1;
#endif
        if (s2s_threads > 1 && 800000L >= 327680L * s2s_threads) {
            for (int step = 0; step <= 4; step++) {
                scale_rows(x, by, ROWS, LENGTH);
#pragma omp parallel for
                for (int i = 0; i <= 799999; i++) {
                    x[i] = x[i] * 0.25 + i % 13;
                }
            }
        } else {
    for (int step = 0; step < 5; step++) {
        scale_rows(x, by, ROWS, LENGTH);
        for (int i = 0; i < ROWS * LENGTH; i++)
            x[i] = x[i] * 0.25 + i % 13;
    }
        }
    }
    double sum = 0;
    for (int i = 0; i < ROWS * LENGTH; i++)
        sum += x[i] * (i % 3);
    printf("%.17g\n", sum);
    return 0;
}
