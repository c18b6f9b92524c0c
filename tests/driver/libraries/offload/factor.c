void f(int n, double beta, double c[n][n], double a[n][n], double b[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            c[i][j] *= beta;
            for (int k = 0; k < n; k++) c[i][j] += a[i][k] * b[k][j];
        }
}
