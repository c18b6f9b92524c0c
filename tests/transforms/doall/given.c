// s2s: --parallel --passes=doall -- -O2 -fopenmp
// run
// text: taps == 9
// text: const int taps = 9;
// text: height == 900 && width == 640
/* All calls in sight give a function the same numbers: threads run a text that spells them, other
   calls (through a pointer) the source's. What these numbers make short stays as it is. */
#include <stdio.h>
#include <stdlib.h>

static void filter(const double *from, const double *by, double *to, int n, int taps) {
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int k = 0; k < taps; k++) sum += from[i + k] * by[k];
        to[i] = sum;
    }
}

static void square(const double *from, double *to, int width, int height) {
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) to[y * width + x] = from[y * width + x] * 0.5 + x % 3;
}

static void pass_on(const double *from, double *to, int width, int height) {
    for (int again = 0; again < 2; again++) square(from, to, width, height);
}

static void shorter(double *to, int count) {
    for (int i = 0; i < count; i++) to[i] = to[i] / 3 + i;
}

static void changed(double *to, const double *from, int rows) {
    rows = rows / 2 + 1;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < 1000; j++) to[i * 1000 + j] += from[j] / (i + 1);
}

int main(void) {
    int n = 60000, width = 640;
    double *a = malloc(600100 * sizeof *a), *b = malloc(600100 * sizeof *b), by[16];
    for (int i = 0; i < 600100; i++) {
        a[i] = i % 101;
        b[i] = i % 7;
    }
    for (int k = 0; k < 16; k++) by[k] = k - 4;
    filter(a, by, b, n, 9);
    void (*other)(const double *, const double *, double *, int, int) = filter;
    other(b, by, a, 30000, 16);
    other(a, by, b, 60000, 3);
    pass_on(b, a, width, 900);
    shorter(a, 100);
    changed(b, a, 300);
    double sum = 0;
    for (int i = 0; i < 600100; i++) sum += a[i] * (i % 5) + b[i];
    printf("%.17g\n", sum);
    return 0;
}
