// a factor is an element of A
void f(int16_t A[16]) {
  for (int i = 1; i < 16; i++) for (int p = 0; p < 2; p++) A[i] += A[i - 1] * A[p]; }
