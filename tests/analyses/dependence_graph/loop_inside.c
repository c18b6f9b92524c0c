void f(int n, float a[n][n], float b[n])
{
    for (int i = 1; i < n; i++)
        for (int j = 1; j < n; j++) {
            a[i][j] = b[j];
            b[j] = a[i - 1][j] + a[i][j - 1];
        }
}

