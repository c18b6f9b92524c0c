void f(int n, int m, double *restrict u_, double *restrict v_)
{
    for (int d = 2; d < n; d++)
        for (int r = 1; r <= d - 2; r++)
            u_[r * n + (d - r)] = u_[(r - 1) * n + (d - r)] + u_[(r + 1) * n + (d - r - 2)];
}
