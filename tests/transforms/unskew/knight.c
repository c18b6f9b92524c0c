void f(int n, int m, double *restrict u_, double *restrict v_)
{
    for (int d = 0; d < 3 * n; d++) {
#pragma omp parallel for
        for (int r = (d + 1) / 3; r <= d / 2; r++)
            if (d - 2 * r < n - 2 && r > 0 && r < n)
                u_[r * n + (d - 2 * r)] += u_[(r - 1) * n + (d - 2 * r + 1)];
    }
}
