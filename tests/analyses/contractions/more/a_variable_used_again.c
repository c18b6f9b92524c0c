// a variable used again
void f(int8_t C[6][8], const int8_t A[16], const int8_t B[6][8], const int16_t D[6], const int32_t M[6]) {
  for (int k = 0; k < 6; k++) for (int i = 0; i < 8; i++) {
    int acc = D[k];
    for (int p = 0; p < 8; p++) acc += A[i + p] * B[k][p];
    int64_t wide = (int64_t)acc * M[k];
    acc = (int)((wide + (1 << 18)) >> 19);
    acc += 3;
    if (acc < -128) acc = -128;
    if (acc > 127) acc = 127;
    C[k][i] = acc; } }
