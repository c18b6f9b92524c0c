/* All calls in sight give a function the same numbers: threads run a text that spells them, other
   calls (through a pointer) the source's. What these numbers make short stays as it is. */
#include <stdio.h>
#include <stdlib.h>

static void filter(const double *from, const double *by, double *to, int n, int taps) {
    {
        /* s2s: parallel loop over 'i' */
#ifdef _OPENMP
        extern int omp_get_max_threads(void);
        const int s2s_threads = omp_get_max_threads();
#else
        const int s2s_threads = 1;
#endif
        if (/* sizes for which this is right, and gains */
            n == 60000 && taps == 9
            /* enough for each thread */
            && s2s_threads > 1
            && 60000L >= 2999L * s2s_threads
            /* 'by' and 'to' do not overlap */
            && ((const char *)(by + 9) <= (const char *)to
                || (const char *)(to + 60000L) <= (const char *)by)
            /* 'from' and 'to' do not overlap */
            && ((const char *)(from + 60008L) <= (const char *)to
                || (const char *)(to + 60000L) <= (const char *)from)) {
            const int taps = 9;
#pragma omp parallel for
            for (int i = 0; i <= 59999; i++) {
                double sum = 0;
                for (int k = 0; k < taps; k++) sum += from[i + k] * by[k];
                to[i] = sum;
            }
        } else {
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int k = 0; k < taps; k++) sum += from[i + k] * by[k];
        to[i] = sum;
    }
        }
    }
}

static void square(const double *from, double *to, int width, int height) {
    {
        /* s2s: parallel loop over 'y' */
#ifdef _OPENMP
        extern int omp_get_max_threads(void);
        const int s2s_threads = omp_get_max_threads();
#else
        const int s2s_threads = 1;
#endif
        if (/* sizes for which this is right, and gains */
            height == 900 && width == 640
            /* enough for each thread */
            && s2s_threads > 1
            && 900L >= 359L * s2s_threads
            /* 'from' and 'to' do not overlap */
            && ((const char *)(from + 900L * (long)width) <= (const char *)to
                || (const char *)(to + 900L * (long)width) <= (const char *)from)) {
            const int width = 640;
#pragma omp parallel for
            for (int y = 0; y <= 899; y++) {
                for (int x = 0; x <= 639; x++) {
                    to[y * width + x] = from[y * width + x] * 0.5 + x % 3;
                }
            }
        } else {
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) to[y * width + x] = from[y * width + x] * 0.5 + x % 3;
        }
    }
}

static void pass_on(const double *from, double *to, int width, int height) {
    for (int again = 0; again < 2; again++) square(from, to, width, height);
}

static void shorter(double *to, int count) {
    for (int i = 0; i < count; i++) to[i] = to[i] / 3 + i;
}

static void changed(double *to, const double *from, int rows) {
    rows = rows / 2 + 1;
    {
        /* s2s: parallel loop over 'i' */
#ifdef _OPENMP
        extern int omp_get_max_threads(void);
        const int s2s_threads = rows >= 460L ? omp_get_max_threads() : 1;
#else
        const int s2s_threads = 1;
#endif
        if (/* sizes for which this is right */
            rows >= 1
            /* enough for each thread */
            && s2s_threads > 1
            && rows >= 230L * s2s_threads
            /* 'from' and 'to' do not overlap */
            && ((const char *)(from + 1000L) <= (const char *)to
                || (const char *)(to + 1000L * rows) <= (const char *)from)) {
#pragma omp parallel for
            for (int i = 0; i < rows; i++) {
                for (int j = 0; j <= 999; j++) {
                    to[i * 1000 + j] += from[j] / (i + 1);
                }
            }
        } else {
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < 1000; j++) to[i * 1000 + j] += from[j] / (i + 1);
        }
    }
}

int main(void) {
    int n = 60000, width = 640;
    double *a = malloc(600100 * sizeof *a), *b = malloc(600100 * sizeof *b), by[16];
    {
        /* s2s: parallel loop over 'i' */
#ifdef _OPENMP
        extern int omp_get_max_threads(void);
        const int s2s_threads = omp_get_max_threads();
#else
        const int s2s_threads = 1;
#endif
        if (/* enough for each thread */
            s2s_threads > 1
            && 600100L >= 229376L * s2s_threads
            /* 'a' and 'b' do not overlap */
            && ((const char *)(a + 600100L) <= (const char *)b
                || (const char *)(b + 600100L) <= (const char *)a)) {
#pragma omp parallel for
            for (int i = 0; i <= 600099; i++) {
                a[i] = i % 101;
                b[i] = i % 7;
            }
        } else {
    for (int i = 0; i < 600100; i++) {
        a[i] = i % 101;
        b[i] = i % 7;
    }
        }
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
