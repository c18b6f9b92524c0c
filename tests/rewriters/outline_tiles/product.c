void f(int n, double (*restrict a)[90], double (*restrict b)[90], double (*restrict c)[90])
{
    for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) for (int k = 0; k < n; k++)
        c[i][j] += a[i][k] * b[k][j];
}
