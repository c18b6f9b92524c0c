void f(int n, int m, int *r, double (*w)[m], double *u_, double *v_)
{
    int k;
#pragma omp parallel for private(k)
    for (int i = 0; i < n; i++) {
        k = search(v_, m, u_[i] * 0.5);
        u_[i] += v_[k];
    }
}
