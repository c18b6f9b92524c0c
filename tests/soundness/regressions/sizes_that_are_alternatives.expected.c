// ``sizes || sizes && disjoint`` is true for arrays that overlap.

#include "soundness/numbers.h"

static void rows(int n, int m, double *u, double *v)
{
    for (int i = 1; i < n - 1; i++) {
#pragma omp task depend(in: v[i - 1], v[i], v[i + 1]) depend(out: u[i])
        u[i] = v[i - 1] + 0.5 * v[i + 1];
    }
}
void sweep(int n, int m, int T, double *u_, double *v_)
{
    (void)0;

{
    int s2sin_n = n;
    int s2sin_m = m;
    double *u = u_;
    double *v = v_;
    int s2sin_n_2 = m;
    int s2sin_m_2 = n;
    double *s2sin_u = v_;
    double *s2sin_v = u_;
    {
        /* s2s: distributed tasks to 2 parallel loops */
        if ((T >= 1 && s2sin_n_2 >= 3 || T >= 1 && s2sin_n >= 3) && ((const char *)(s2sin_u + (long)s2sin_n_2 - 2) < (const char *)(s2sin_v + 0) || (const char *)(s2sin_v + (long)s2sin_n_2 - 1) < (const char *)(s2sin_u + 1) || (sizeof *s2sin_u == sizeof *s2sin_v && ((const char *)s2sin_u - (const char *)s2sin_v) % (long)sizeof *s2sin_u != 0)) && ((const char *)(s2sin_u + (long)s2sin_n_2 - 2) < (const char *)(u + 1) || (const char *)(u + (long)s2sin_n - 2) < (const char *)(s2sin_u + 1) || (sizeof *s2sin_u == sizeof *u && ((const char *)s2sin_u - (const char *)u) % (long)sizeof *s2sin_u != 0)) && ((const char *)(s2sin_u + (long)s2sin_n_2 - 2) < (const char *)(v + 0) || (const char *)(v + (long)s2sin_n - 1) < (const char *)(s2sin_u + 1) || (sizeof *s2sin_u == sizeof *v && ((const char *)s2sin_u - (const char *)v) % (long)sizeof *s2sin_u != 0)) && ((const char *)(s2sin_v + (long)s2sin_n_2 - 1) < (const char *)(u + 1) || (const char *)(u + (long)s2sin_n - 2) < (const char *)(s2sin_v + 0) || (sizeof *s2sin_v == sizeof *u && ((const char *)s2sin_v - (const char *)u) % (long)sizeof *s2sin_v != 0)) && ((const char *)(u + (long)s2sin_n - 2) < (const char *)(v + 0) || (const char *)(v + (long)s2sin_n - 1) < (const char *)(u + 1) || (sizeof *u == sizeof *v && ((const char *)u - (const char *)v) % (long)sizeof *u != 0))) {
#pragma omp parallel
            for (int t = 0; t < T; t++) {
#pragma omp barrier
#pragma omp for schedule(dynamic) nowait
                for (int i = 1; i < s2sin_n - 1; i++) {
                    u[i] = v[i - 1] + 0.5 * v[i + 1];
                }
#pragma omp barrier
#pragma omp for schedule(dynamic) nowait
                for (int s2sin_i = 1; s2sin_i < s2sin_n_2 - 1; s2sin_i++) {
                    s2sin_u[s2sin_i] = s2sin_v[s2sin_i - 1] + 0.5 * s2sin_v[s2sin_i + 1];
                }
            }
        } else {
#pragma omp parallel
#pragma omp single
    for (int t = 0; t < T; t++) {
        rows(n, m, u_, v_);
        rows(m, n, v_, u_);
    }
        }
    }
}
}

#include "soundness/main.h"
