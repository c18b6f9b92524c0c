void f(int n, int steps, double *restrict a, double *restrict b) {
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++) b[i] = 0.3 * (a[i - 1] + a[i] + a[i + 1]);
        for (int i = 1; i < n - 1; i++) a[i] = b[i];
    }
}
