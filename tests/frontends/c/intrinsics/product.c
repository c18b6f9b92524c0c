void product(int n, double a[n][n], double b[n], double c[n])
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            c[i] += a[i][k] * b[k];
}
