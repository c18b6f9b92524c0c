static void rows(int n, double *u, double *v)
{
    for (int i = 1; i < n - 1; i++) {
#pragma omp task depend(in: v[i - 1], v[i], v[i + 1]) depend(out: u[i])
        u[i] = v[i - 1] + 0.5 * v[i + 1];
    }
}
void sweep(int n, int m, int T, double *restrict u, double *restrict v)
{
#pragma omp parallel
#pragma omp single
    for (int t = 0; t < T; t++) {
        rows(n, u, v);
        rows(m, v, u);
    }
}
