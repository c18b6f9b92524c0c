#define MIN(a, b) ((a) < (b) ? (a) : (b))
void product(int c[restrict 30][48], const int a[restrict 30][64], const int b[restrict 64][48]) {
  for (int kk = 0; kk < 64; kk += 32)
#pragma omp parallel for
    for (int ii = 0; ii < 30; ii += 8)
      for (int jj = 0; jj < 6; jj++)
        for (int i = ii; i < MIN(ii + 8, 30); i++)
          for (int j = 0; j < 8; j++)
            for (int k = kk; k < kk + 32; k++) c[i][8 * jj + j] += a[i][k] * b[k][8 * jj + j];
}
