// weights turned round
void f(int16_t C[20], const int16_t A[24], const int16_t B[5]) {
  for (int i = 0; i < 20; i++) { int acc = 8; for (int p = 0; p < 5; p++)
    acc += A[i + 4 - p] * B[p];
    C[i] = acc >> 4; } }
