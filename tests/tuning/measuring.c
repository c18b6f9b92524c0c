void add(int n, double a[n][n], double b[n][n])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[j][i] = a[j][i] + b[j][i];
}
