// only the lowest 7 bits
void f(int8_t C[4][8], int16_t A[4][8], int16_t B[8][8]) {
  for (int i = 0; i < 4; i++) for (int k = 0; k < 8; k++) {
    int16_t acc = 0;
    for (int p = 0; p < 8; p++) acc += A[i][p] * B[p][k];
    C[i][k] = acc >> 9; } }
