// limits
void f(int8_t C[4][8], const int8_t A[4][8], const int8_t B[8][8], const int32_t bias[8]) {
  for (int i = 0; i < 4; i++) for (int k = 0; k < 8; k++) {
    int acc = bias[k];
    for (int p = 0; p < 8; p++) acc += A[i][p] * B[p][k];
    int v = acc >> 7;
    C[i][k] = v > 127 ? 127 : v < -128 ? -128 : v; } }
