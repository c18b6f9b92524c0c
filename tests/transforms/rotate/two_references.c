void f(int n, double *x, double *y, double *z)
{
    for (int i = 1; i < n; i++) {
        double t = z[i];
        if (t > 0.5) x[i] = t;
        y[i] = t;
        x[i] = y[i] + x[i - 1];
    }
}
