void f(int n, int m, double A[80][80], double B[80][80]) {
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++)
            A[i][j] = A[i][j - 1] * 0.5 + A[i - 1][j] * 0.25 + B[i][j];
}
