void f(int n, unsigned (*restrict a)[n], unsigned (*restrict b)[n], unsigned (*restrict c)[n])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                c[i][j] += a[i][k] * b[k][j];
}
