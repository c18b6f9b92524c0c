void f(int n, int m, double *x, double (*a)[n + 2], double (*b)[n + 2])
{
    for (int i = 0; i < n; i++)
        if (a[0][i] > 0.4)
            for (int j = 1; j < m; j++)
                a[j][i] = a[j - 1][i] + b[j][i];
}
