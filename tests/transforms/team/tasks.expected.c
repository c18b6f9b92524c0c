#include "soundness/numbers.h"
void sweep(int n, int m, int T, double *u_, double *v_)
{
    double *a = u_, *b = v_, *c = u_ + 64, *d = v_ + 64; (void)m;

    {
        /* s2s: distributed tasks to 3 parallel loops */
        if (/* sizes for which this is right */
            T >= 1
            /* tags of tasks differ */
            && ((const char *)(a + (long)n - 1) < (const char *)(b + 1)
                || (const char *)(b + (long)n - 1) < (const char *)(a + 1)
                || (sizeof *a == sizeof *b
                    && ((const char *)a - (const char *)b)
                       % (long)sizeof *a != 0))) {
#pragma omp parallel
            for (int t = 0; t < T; t++) {
#pragma omp barrier
#pragma omp single nowait
                {
                    c[t] = 0.5 * c[t] + 1.0;
                }
#pragma omp barrier
#pragma omp for schedule(dynamic) nowait
                for (int i = 1; i < n; i++) {
                    a[i] = 0.5 * a[i] + c[t];
                }
#pragma omp for schedule(dynamic) nowait
                for (int i = 1; i < n; i++) {
                    b[i] = 0.25 * b[i] + c[t];
                }
#pragma omp barrier
#pragma omp for schedule(dynamic) nowait
                for (int i = 1; i < n; i++) {
                    d[i] += a[i - 1] * b[n - i];
                }
            }
        } else {
#pragma omp parallel
#pragma omp single
    for (int t = 0; t < T; t++) {
        c[t] = 0.5 * c[t] + 1.0;
        for (int i = 1; i < n; i++) {
#pragma omp task depend(inout: a[i])
            a[i] = 0.5 * a[i] + c[t];
        }
        for (int i = 1; i < n; i++) {
#pragma omp task depend(inout: b[i])
            b[i] = 0.25 * b[i] + c[t];
        }
#pragma omp taskwait
        for (int i = 1; i < n; i++) {
#pragma omp task
            d[i] += a[i - 1] * b[n - i];
        }
#pragma omp taskwait
    }
        }
    }
}

#include "soundness/main.h"
