void f(int n, double *x, double *y, double *z)
{
    for (int i = 2; i < n; i++) {
        x[i] = 2.0 * x[i - 2];
        x[i - 1] = z[i];
        y[i] = x[i - 1];
    }
}
