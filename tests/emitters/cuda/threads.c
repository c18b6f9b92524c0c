void f(int n, float *restrict a) {
#pragma omp parallel for
for (int j = 0; j < 9; j++)
for (int i = 0; i < n; i++) a[9 * i + j] = i;
}
