void f(int n, int m, double *restrict u_, double *restrict v_)
{
    for (int r = 0; r < n; r++) {
#pragma omp parallel for
        for (int c = 0; c < m; c++)
            u_[r * m + c] = 2.0 * v_[r * m + c];
    }
}
