// quantized: a bias, rounded, by a transposed matrix
void f(int8_t C[16][32], const int8_t A[16][32], const int8_t B[32][32], const int32_t bias[32]) {
  for (int i = 0; i < 16; i++) for (int j = 0; j < 32; j++) {
    int32_t acc = bias[j];
    for (int k = 0; k < 32; k++) acc += A[i][k] * B[j][k];
    acc = (acc + 64) >> 7;
    if (acc > 127) acc = 127;
    if (acc < -128) acc = -128;
    C[i][j] = acc;
  }
}
