void f(int n, int steps, double a[][n], double b[][n]) {
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for
        for (int i = 1; i < n - 1; i++) {
            double w;
            w = 0.25 * (a[i - 1][1] + a[i + 1][1]);
            for (int j = 1; j < n - 1; j++) b[i][j] = w + a[i - 1][j] + a[i + 1][j];
        }
#pragma omp parallel for
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++) a[i][j] = b[i][j];
    }
}
