void f(int n, int m, double *restrict u_, double *restrict v_)
{
    for (int d = 0; d < n; d++) {
#pragma omp parallel for
        for (int r = 0; r <= d; r++)
            u_[(r / 2) * n + (d - r)] = v_[r];
    }
}
