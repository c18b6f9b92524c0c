void f(int n, double a[n][n], double *restrict x, double *restrict y)
{
    double s;
    for (int i = 0; i < n; i++) {
        s = y[i];
        for (int k = 0; k < n; k++)
            s += a[k][i] * x[k];
        y[i] = s;
    }
}
