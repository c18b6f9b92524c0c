void f(int n, int m, double *restrict u_, double *restrict v_)
{
    for (int c = 1; c < m; c++)
        for (int d = 1; d < n; d++) {
#pragma omp parallel for
            for (int r = 1; r <= d; r++)
                u_[(r * n + (d - r)) * m + c] += u_[((r - 1) * n + (d - r)) * m + c - 1] + v_[c];
        }
}
