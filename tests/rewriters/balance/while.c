void f(int n, int m, int *r, double (*w)[m], double *u_, double *v_)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double x = u_[i];
        while (x > 0.01) x *= 0.9;
        u_[i] = x;
    }
}
