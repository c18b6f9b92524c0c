void f(int n, int m, double *restrict u_, double *restrict v_)
{
    for (int d = n - 3; d >= 0; d--) {
#pragma omp parallel for private(r, at)
        for (r = 0; r <= d; r++) {
            at = (n - 1 - r) * n + (n - 1 - d + r);
            u_[at] = 0.5 * u_[at - 1] + 0.25 * u_[at - n] - 0.125 * u_[at - n - 1] + v_[at];
        }
    }
}
