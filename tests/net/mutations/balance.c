static int search(const double *table, int count, double key)
{
    int k;
    for (k = 0; k < count; k++)
        if (table[k] >= key) return k;
    return count - 1;
}
void f(int n, int m, double *u, double *v)
{
    int k;
#pragma omp parallel for private(k)
    for (int i = 0; i < n; i++) {
        k = search(v, m, u[i] * 0.5);
        u[i] += v[k];
    }
}
