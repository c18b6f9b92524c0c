void gemm_triangular(int c[restrict 32][48], const int a[restrict 32][32],
                     const int b[restrict 32][48]) {
  for (int i = 0; i < 32; i++)
    for (int j = 0; j < 48; j++)
      for (int k = 0; k <= i; k++) c[i][j] += a[i][k] * b[k][j];
}
