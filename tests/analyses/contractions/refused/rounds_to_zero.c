// rounds to zero
void f(int16_t C[8], int16_t A[16], int16_t B[8]) {
  for (int i = 0; i < 8; i++) { int acc = 0; for (int p = 0; p < 8; p++) acc += A[i + p] * B[p];
    C[i] = acc / 4; } }
