void f(int n, int m, double *x, double (*a)[n + 2], double (*b)[n + 2])
{
    for (int i = 1; i < n; i++)
        for (int j = 0; j < m; j++) {
            x[i] = a[j][i] - x[i - 1];
            a[j][i] = x[i] * x [i] + b[j][i];
        }
}
