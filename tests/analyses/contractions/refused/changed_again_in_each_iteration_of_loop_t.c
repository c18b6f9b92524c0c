// changed again in each iteration of loop t
void f(int16_t C[4][8], int16_t A[4][8], int16_t B[8][8]) {
  for (int i = 0; i < 4; i++) for (int k = 0; k < 8; k++) C[i][k] = 0;
  for (int t = 0; t < 2; t++) for (int i = 0; i < 4; i++) for (int k = 0; k < 8; k++) {
    for (int p = 0; p < 8; p++) C[i][k] += A[i][p] * B[p][k];
    C[i][k] >>= 3; } }
