/* OpenMP's library, regions with variables of their own, first and last values, locks. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
static long *a, n;
static omp_lock_t door;

static long part[64];
static void add(long *h, long x) { h[x]++; }
static void histograms(void)
{
    long n = 600, *a = malloc(n * sizeof(long)), total = 0, hist[16] = {0}, most = 0;
    for (long i = 0; i < n; i++) a[i] = i * i % 97;
#pragma omp parallel num_threads(8) reduction(max : most)
    {
        int me = omp_get_thread_num(), all = omp_get_num_threads();
        long *mine = &part[me], local[16] = {0};
        double share = 0;
#pragma omp for nowait
        for (long i = 0; i < n; i++) { *mine += a[i]; add(local, a[i] % 16); }
#pragma omp for
        for (long i = 0; i < n; i++) if (a[i] > most) most = a[i];
#pragma omp for
        for (long i = 0; i < n; i++) share += 0.5 * a[i];
        for (long i = me; i < n; i += all) {
#pragma omp atomic
            total += a[i];
        }
#pragma omp critical
        { for (int k = 0; k < 16; k++) hist[k] += local[k]; total += (long)share; }
#pragma omp single
        total += 1000;
    }
    long s = 0, w = 0; for (int k = 0; k < 64; k++) s += part[k]; for (int k = 0; k < 16; k++) w += hist[k] * (k + 1);
    printf("%ld %ld %ld\n", s, w, most);
    free(a);
}

int main(void)
{
    n = 100;
    double t0 = omp_get_wtime();
    omp_set_num_threads(8);
    a = malloc(n * sizeof(long));
    long total = 0, best = 1l << 40, locked = 0, own = 5, hist[10] = {0};
    omp_init_lock(&door);
#pragma omp parallel for
    for (long i = 0; i < n; i++) a[i] = (i * 37 + 11) % 101;
#pragma omp parallel
    {
        long mine = 0, least = 1l << 40;
        const long limit = n;
#pragma omp for
        for (long i = 0; i < limit; i++) { mine += a[i]; if (a[i] < least) least = a[i]; }
#pragma omp atomic
        total += mine;
#pragma omp critical
        if (least < best) best = least;
    }
#pragma omp parallel private(own)
    {
        long *h = calloc(10, sizeof(long));
        own = omp_get_thread_num();
#pragma omp for
        for (long i = 0; i < n; i++) h[a[i] % 10]++;
#pragma omp critical
        for (int k = 0; k < 10; k++) hist[k] += h[k];
        free(h);
    }
#pragma omp parallel for
    for (long i = 0; i < n; i++) { omp_set_lock(&door); locked += a[i] & 1; omp_unset_lock(&door); }
    long last = -1, f = 3; double sq[2] = {1, 2};
#pragma omp parallel for lastprivate(last) firstprivate(f)
    for (long i = 0; i < n; i += 3) { if (a[i] % 2) { last = a[i] + f; continue; } last = -a[i]; }
#pragma omp parallel for private(sq)
    for (long i = 0; i < n; i++) { sq[0] = a[i]; sq[1] = sq[0] * sq[0]; a[i] = sq[1]; }
    for (int k = 0; k < 10; k++) printf("%ld ", hist[k]);
    printf("%ld %ld %ld %ld %ld %g %d %ld %g\n", total, best, locked, own, last, sq[1], omp_get_max_threads(), a[n - 1], omp_get_wtime() - t0 > 1 ? 1. : 0.);
    histograms();
    return 0;
}
