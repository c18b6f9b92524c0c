void f(int n, int m, double *x, double (*a)[n + 2], double (*b)[n + 2])
{
    for (int i = 0; i < n; i++)
        for (int j = 1; j < m; j++) {
            x[j] = 1.0 - x[j - 1];
            a[j][i] = x[j] + b[j][i];
        }
}
