// two branches
void f(int32_t C[16][16], const int16_t A[16][8], const int16_t B[8][16]) {
  for (int i = 0; i < 16; i++) for (int j = 0; j < 16; j++) for (int k = 7; k >= 0; k--)
    if (k != 7) C[i][j] += A[i][k] * B[k][j]; else C[i][j] = A[i][k] * B[k][j];
}
