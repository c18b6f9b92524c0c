void f(int n, int m, double (*restrict a)[70], double (*restrict b)[70], double (*restrict c)[70])
{
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < n; k++) {
            double factor = 3 * a[i][k];
            for (int j = 0; j < m; j++)
                c[i][j] += factor * b[k][j];
        }
    }
}
