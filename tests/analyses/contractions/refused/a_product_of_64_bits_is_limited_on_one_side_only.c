// a product of 64 bits is limited on one side only
void f(int16_t C[4][8], int16_t A[16], int16_t B[4][8], int32_t M[4]) {
  for (int k = 0; k < 4; k++) for (int i = 0; i < 8; i++) {
    int acc = 0;
    for (int p = 0; p < 8; p++) acc += A[i + p] * B[k][p];
    int64_t q = (int64_t)acc * M[k] >> 8;
    C[k][i] = q < 0 ? 0 : q; } }
