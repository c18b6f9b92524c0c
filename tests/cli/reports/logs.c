void turn(int n, double a[n][n])
{
  for (int j = 0; j < n; j++)
    for (int i = 1; i < n; i++)
      a[i][j] = a[i - 1][j] + 1;
}

void call(int n, double *b)
{
  for (int i = 0; i < n; i++)
    b[i] = unknown(i);
}

void race(int n, double *b)
{
#pragma omp parallel for
  for (int i = 1; i < n; i++)
    b[i] = b[i - 1] * 2;
}
