// s2s: --passes=simd -- -fopenmp
void turn(double *x, double *y, double *z, const double *a, const double *b, const double *c, int n)
{
    int i;
    // remark: vectorized the innermost loops [simd]
    for (i = 0; i < n; i++) {
        x[i] = b[i] - 2 * c[i];
        y[i] = c[i] - a[i] * a[i];
        z[i] = a[i] + b[i] / 3;
    }
}
