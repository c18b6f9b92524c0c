void f(int n, double a[n][n], double b[n][n])
{
    for (int t = 0; t < n; t++) {
        for (int i = 0; i < n; i++)
            a[t][i] = 1.0;
        for (int i = 0; i < n; i++)
            b[t][i] = 2.0;
    }
}
