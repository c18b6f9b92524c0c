// 'n' is not known
void f(int16_t *C, int16_t *A, int16_t *B, int n) {
  for (int i = 0; i < n; i++) for (int p = 0; p < 8; p++) C[i] += A[i + p] * B[p]; }
