void f(int n, int m, double *restrict u_, double *restrict v_)
{
    int at, r;
    for (int d = 0; d < n - 1; d++) {
#pragma omp parallel for private(r, at)
        for (r = 0; r <= d; r++) {
            at = (r + 1) * n + (d + 1 - r);
            u_[at] = 0.5 * u_[at - 1] + 0.25 * u_[at - n] - 0.125 * u_[at - n - 1] + v_[at];
        }
    }
}
