// no integers
void f(float C[8], float A[16], float B[8]) {
  for (int i = 0; i < 8; i++) for (int p = 0; p < 8; p++) C[i] += A[i + p] * B[p]; }
