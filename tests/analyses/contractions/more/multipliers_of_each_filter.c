// multipliers of each filter
static int8_t narrow(int v) { return v < -128 ? -128 : v > 127 ? 127 : v; }
void f(int8_t C[8][6], const int8_t A[16], const int8_t B[6][8], const int32_t M[6]) {
  for (int i = 0; i < 8; i++) for (int k = 0; k < 6; k++) {
    int acc = 0;
    for (int p = 0; p < 8; p++) acc += A[i + p] * B[k][p];
    int q = (int)(((int64_t)acc * M[k] + (1LL << 18)) >> 19);
    C[i][k] = narrow(q + 5); } }
