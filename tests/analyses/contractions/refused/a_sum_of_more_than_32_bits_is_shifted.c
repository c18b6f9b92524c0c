// a sum of more than 32 bits is shifted by an element of D
void f(int16_t C[4][8], int16_t A[16], int16_t B[4][8], uint8_t D[4]) {
  for (int k = 0; k < 4; k++) for (int i = 0; i < 8; i++) {
    int64_t acc = 0;
    for (int p = 0; p < 8; p++) acc += A[i + p] * B[k][p];
    C[k][i] = acc >> D[k]; } }
