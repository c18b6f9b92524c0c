// some elements of C are changed again, others are not
void f(int C[4][8], int16_t A[4][8], int16_t B[8][8]) {
  for (int i = 0; i < 4; i++) {
    for (int j = 0; j < 8; j++) { C[i][j] = 0; for (int k = 0; k < 8; k++) C[i][j] += A[i][k] * B[k][j]; }
    C[i][0] = C[i][0] > 9 ? 9 : C[i][0]; } }
