// from 0 to 15 where it has 12
void f(int16_t C[8][8], int16_t A[9][12], int16_t B[8]) {
  for (int k = 0; k < 8; k++) for (int i = 0; i < 8; i++) for (int p = 0; p < 9; p++)
    C[k][i] += A[k][i + p] * B[p]; }
