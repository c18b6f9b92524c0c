// products taken off
void f(int32_t C[4][16], const int16_t A[4][8], const int16_t B[8][16]) {
  for (int i = 0; i < 4; i++) for (int j = 0; j < 16; j++)
    for (int k = 0; k < 8; k++) C[i][j] -= A[i][k] * B[k][j];
}
