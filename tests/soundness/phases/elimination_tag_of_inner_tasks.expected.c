// A tag that all tasks of a phase write orders them.

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
    {
        /* s2s: rows of 'n' iterations, without divisions */
        const int s2s_done = n > 0 ? n * n : 0;
        for (int s2s_row = 0; s2s_row < n; s2s_row++)
            for (int s2s_column = 0; s2s_column < n; s2s_column++) {
                const int k = s2s_row * n + s2s_column;
                table[k] = k % 3 == 1 && s2s_row != s2s_column ? NULL : &u_[k];
            }
        for (int k = s2s_done; k < n * n; k++)
            table[k] = k % 3 == 1 && k / n != k % n ? NULL : &u_[k];
    }

    {
        /* s2s: distributed tasks to 2 parallel loops */
        if (n >= 1) {
#pragma omp parallel
            for (int k = 0; k < n; k++) {
#pragma omp barrier
#pragma omp single nowait
                {
                    first(table[k * n + k]);
                }
#pragma omp barrier
#pragma omp for schedule(dynamic) nowait
                for (int j = (int)((long)k + 1); j < n; j++) {
                    if (table[k * n + j] != NULL) { side(table[k * n + k], table[k * n + j]); }
                }
#pragma omp for schedule(dynamic) nowait
                for (int i = (int)((long)k + 1); i < n; i++) {
                    if (table[i * n + k] != NULL) { side(table[k * n + k], table[i * n + k]); }
                }
#pragma omp single nowait
                {
                    for (int i = (int)((long)k + 1); i < n; i++) {
                        for (int j = (int)((long)k + 1); j < n; j++) {
                            if ((table[i * n + k] != NULL) && (table[k * n + j] != NULL)) { if (table[i * n + j] == NULL) table[i * n + j] = fresh(); }
                        }
                    }
                }
#pragma omp barrier
#pragma omp single nowait
                {
                    for (int i = (int)((long)k + 1); i < n; i++) {
                        for (int j = (int)((long)k + 1); j < n; j++) {
                            if ((table[i * n + k] != NULL) && (table[k * n + j] != NULL)) { inner(table[i * n + k], table[k * n + j], table[i * n + j]); }
                        }
                    }
                }
            }
        } else {
#pragma omp parallel
#pragma omp single
    {
    for (int k = 0; k < n; k++) {
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
#pragma omp task depend(in: table[i * n + k], table[k * n + j]) depend(inout: table[i * n + j], n)
                        inner(table[i * n + k], table[k * n + j], table[i * n + j]);
                    }
    }
#pragma omp taskwait
    }
        }
    }

    for (int k = 0; k < n * n; k++) { if (table[k]) v_[k] += *table[k]; }
    free(table);
}

#include "soundness/main.h"
