void first(int n, double a[n][n])
{
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            a[i][j] = a[i][j] + 1;
}

double second(int n, const double *b, double *c)
{
    double sum = 0;
    for (int i = 1; i < n; i++)
        sum += b[i] * c[i - 1];
#pragma omp parallel for
    for (int i = 1; i < n; i++)
        c[i] = c[i - 1] * b[i];
    return sum;
}
