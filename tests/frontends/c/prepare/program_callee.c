BEFORE
void step(int n, double *u, double *v)
{
    int i, j;
#pragma omp parallel for private(j)
    for (i = 1; i < n - 1; i++)
        for (j = 1; j < n - 1; j++)
            v[i * n + j] = u[(i - 1) * n + j] + u[(i + 1) * n + j] + u[i * n + j - 1];
#pragma omp parallel for private(j)
    for (i = 1; i < n - 1; i++)
        for (j = 1; j < n - 1; j++)
            u[i * n + j] = FACTOR * v[i * n + j];
}
