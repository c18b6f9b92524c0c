// s2s: --force -- -O2 -fopenmp
// run

#include "soundness/numbers.h"

static void first(double *d) { *d = 0.5 * *d + 0.25; }
static void side(const double *d, double *x) { *x -= 0.1 * *d; }
static void inner(const double *r, const double *c, double *x) { *x -= 0.01 * *r * *c; }
static double *fresh(void)
{ double *p = (double *)calloc(1, sizeof *p); if (!p) exit(9); return p; }
static void sweep(int n, int m, int T, double *u_, double *v_);
void sweep(int n, int m, int T, double *u_, double *v_)
{
    double **table = (double **)malloc((size_t)(n * n + 1) * sizeof *table);
    for (int k = 0; k < n * n; k++) table[k] = k % 3 == 1 && k / n != k % n ? NULL : &u_[k];

#pragma omp parallel
#pragma omp single
    {
    for (int k = 0; k < n; k++) { // remark: distributed tasks to 3 parallel loops
#pragma omp task depend(inout: table[k * n + k])
        first(table[k * n + k]);
        for (int j = k + 1; j < n; j++)
            if (table[k * n + j] != NULL) {
#pragma omp task depend(in: table[k * n + k]) depend(inout: table[k * n + j])
                side(table[k * n + k], table[k * n + j]);
            }
        for (int i = k + 1; i < n; i++)
            if (table[i * n + k] != NULL) {
#pragma omp task depend(in: table[k * n + k]) depend(inout: table[i * n + k])
                side(table[k * n + k], table[i * n + k]);
            }
        for (int i = k + 1; i < n; i++)
            if (table[i * n + k] != NULL)
                for (int j = k + 1; j < n; j++)
                    if (table[k * n + j] != NULL) {
                        if (table[i * n + j] == NULL) table[i * n + j] = fresh();
#pragma omp task depend(in: table[i * n + k], table[k * n + j]) depend(inout: table[i * n + j])
                        inner(table[i * n + k], table[k * n + j], table[i * n + j]);
                    }
    }
#pragma omp taskwait
    }

    for (int k = 0; k < n * n; k++) { if (table[k]) v_[k] += *table[k]; }
    free(table);
}

#include "soundness/main.h"
