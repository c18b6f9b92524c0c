// s2s: --parallel
// run

/* Rows of 400 elements, and a loop over all of them: isl looked for a schedule for minutes. */
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 2000, LENGTH = 400 };

static void scale_rows(double *x, const double *by, int rows, int length) {
    for (int r = 0; r < rows; r++)
        for (int i = 0; i < length; i++)
            x[r * length + i] *= by[r];
}

int main(void) {
    double *x = malloc(ROWS * LENGTH * sizeof *x), *by = malloc(ROWS * sizeof *by);
    for (int i = 0; i < ROWS * LENGTH; i++)
        x[i] = i % 17;
    for (int r = 0; r < ROWS; r++)
        by[r] = 1 + r % 3;
    for (int step = 0; step < 5; step++) {
        scale_rows(x, by, ROWS, LENGTH);
        for (int i = 0; i < ROWS * LENGTH; i++)
            x[i] = x[i] * 0.25 + i % 13;
    }
    double sum = 0;
    for (int i = 0; i < ROWS * LENGTH; i++)
        sum += x[i] * (i % 3);
    printf("%.17g\n", sum);
    return 0;
}
