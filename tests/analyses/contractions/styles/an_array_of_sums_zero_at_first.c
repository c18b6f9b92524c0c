// an array of sums, zero at first
void f(int16_t C[4][16], const int16_t A[4][8], const int16_t B[8][16]) {
  for (int i = 0; i < 4; i++) {
    int32_t acc[16] = {0};
    for (int k = 0; k < 8; k++) for (int j = 0; j < 16; j++) acc[j] += A[i][k] * B[k][j];
    for (int j = 0; j < 16; j++) C[i][j] = (int16_t)(acc[j] >> 4);
  }
}
