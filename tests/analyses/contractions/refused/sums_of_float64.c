// neither integers nor float32
void f(double C[8], double A[16], double B[8]) {
  for (int i = 0; i < 8; i++) for (int p = 0; p < 8; p++) C[i] += A[i + p] * B[p]; }
