void f(int n, double *restrict a, double *restrict b) {
    for (int i = 0; i < n; i++) a[i] = b[i];
}
void g(int n, double *x) { for (int t = 0; t < n; t++) f(n, x + t, x + 2 * t); }

