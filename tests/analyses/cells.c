double a[20][20], w[20];
void f(int n)
{
#pragma omp parallel
    for (int j = 0; j < n; j++) {
#pragma omp for
        for (int i = 0; i < n; i++)
            w[i] = 0.5 * a[j][i];
#pragma omp for
        for (int i = 1; i < n; i++)
            a[j][i] = w[i - 1];
    }
}
