void f(int n, double *restrict a, double *restrict b, const double *restrict c,
       double *restrict d) {
    for (int i = 0; i < n; i++) { a[i] = b[i] + c[i]; d[i] = (a[i] + a[i + 1]) * c[i]; }
}
