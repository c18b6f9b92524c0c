void gemm(float *c, const float *a, const float *b) {
  for (int i = 0; i < 8; i++)
    for (int j = 0; j < 9; j++)
      for (int k = 0; k < 10; k++) c[i * 9 + j] += a[i * 10 + k] * b[k * 9 + j];
}
