// numbers added after a shift
void f(int8_t C[6][8], const int8_t A[16], const int8_t B[6][8], const int16_t D[6]) {
  for (int k = 0; k < 6; k++) for (int i = 0; i < 8; i++) {
    int acc = D[k];
    for (int p = 0; p < 8; p++) acc += A[i + p] * B[k][p];
    acc = ((acc + 32) >> 6) - 7;
    C[k][i] = acc < -128 ? -128 : acc > 127 ? 127 : acc; } }
