void f(float o[restrict 8], const float a[restrict 9][8],
       const float w[restrict 9][8]) {
  for (int i = 0; i < 9; i++)
    for (int j = 0; j < 8; j++)
      for (int k = 0; k < 8; k++)
        o[k] += a[i][j] * w[i][k];
}
