void gemm(int n, int m, int c[restrict n][m], const int a[restrict n][64],
          const int b[restrict 64][m]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      for (int k = 0; k < 64; k++) c[i][j] += a[i][k] * b[k][j];
}
