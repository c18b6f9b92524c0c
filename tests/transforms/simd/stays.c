// s2s: --passes=simd -- -fopenmp
// stays
/* Ten pairs, which gcc compares; vectors by the source; a branch; a carried value; threads. */
void f(double *x, double *y, const double *a, const double *b, const double *c, int n)
{
    for (int i = 0; i < n; i++) {
        x[i] = a[i] + b[i];
        y[i] = b[i] - c[i];
    }
}

void g(double *x, double *y, double *z, const double *a, const double *b, const double *c, int n)
{
#pragma omp simd
    for (int i = 0; i < n; i++) {
        x[i] = b[i] - 2 * c[i];
        y[i] = c[i] - a[i] * a[i];
        z[i] = a[i] + b[i] / 3;
    }
}

void h(double *x, double *y, double *z, const double *a, const double *b, const double *c, int n)
{
    for (int i = 0; i < n; i++) {
        if (a[i] > 0) x[i] = b[i] - 2 * c[i];
        y[i] = c[i] - a[i] * a[i];
        z[i] = a[i] + b[i] / 3;
    }
}

void k(double *x, double *y, double *z, const double *a, const double *b, const double *c, int n)
{
    for (int i = 1; i < n; i++) {
        x[i] = b[i] - 2 * x[i - 1];
        y[i] = c[i] - a[i] * x[i];
        z[i] = a[i] + b[i] / 3;
    }
}

void shared(double *restrict x, double *restrict y, double *restrict z, const double *a,
            const double *b, const double *c, int n)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        x[i] = b[i] - 2 * c[i];
        y[i] = c[i] - a[i] * a[i];
        z[i] = a[i] + b[i] / 3;
    }
}
