// shifts of each filter
void f(int8_t C[6][8], const int8_t A[16], const int8_t B[6][8], const int32_t D[6], const uint8_t S[6]) {
  for (int k = 0; k < 6; k++) for (int i = 0; i < 8; i++) {
    int acc = D[k];
    for (int p = 0; p < 8; p++) acc += A[i + p] * B[k][p];
    acc = (acc + (S[k] > 0 ? 1 << (S[k] - 1) : 0)) >> S[k];
    if (acc < 0) acc = 0;
    C[k][i] = acc > 127 ? 127 : acc; } }
