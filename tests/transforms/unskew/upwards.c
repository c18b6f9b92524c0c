void f(int n, int m, double *restrict u_, double *restrict v_)
{
    for (int d = 0; d < n - 1; d++) {
#pragma omp parallel for
        for (int r = 0; r <= d; r++)
            u_[(n - 2 - r) * n + (d + 1 - r)] += u_[(n - 1 - r) * n + (d + 1 - r)];
    }
}
