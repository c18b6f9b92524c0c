void f(int n, int m, double A[][200], double B[][200]) {
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) { double x = A[i][j] * 2; B[i][j] = x + A[i][j]; }
}
