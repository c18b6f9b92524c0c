// s2s: --passes=polysimd -- -O3
// stays
#include <math.h>

/* Each call needs what came of the one before. */
double chain(int n, const double *a, const double *b)
{
    double s = 0.5, u = 0, t = 0;
    for (int i = 0; i < n; i++) {
        u = s * a[i] + b[i];
        s = exp(-u * u);
        t = s * a[i] + t * b[i];
    }
    return s + t + u;
}

/* There is little besides the call. */
void logarithms(int n, double *restrict y, const double *restrict x)
{
    double t;
    for (int i = 0; i < n; i++) {
        t = log(x[i]);
        y[i] = t + 1;
    }
}

/* A root is an instruction. */
void lengths(int n, double *restrict y, const double *restrict x, const double *restrict z)
{
    double t, r;
    for (int i = 0; i < n; i++) {
        t = x[i] * x[i] + z[i] * z[i];
        r = sqrt(t);
        y[i] = r * x[i] + t * z[i] - r * t;
    }
}

/* The sum is stored where later iterations read. */
void running(int n, double *s, const double *a, double *restrict b)
{
    double u, e;
    for (int i = 1; i < n; i++) {
        u = s[i - 1] * a[i] + b[i];
        e = exp(-u);
        s[i] = e * a[i] + s[i - 1];
        b[i] += e * u;
    }
}
