static void f(int n, double *a, const double *b) {
    int i;
    for (i = 0; i < n; i++) a[i] = b[i];
}
void g(int m, double *x, double *y) {
    for (int t = 0; t < m; t++) f(m, x, y);
}

