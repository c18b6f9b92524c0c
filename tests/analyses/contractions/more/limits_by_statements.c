// limits by statements
void f(uint8_t C[4][8], const uint8_t A[4][8], const int8_t B[8][8]) {
  for (int i = 0; i < 4; i++) for (int k = 0; k < 8; k++) {
    int acc = 0;
    for (int p = 0; p < 8; p++) acc += A[i][p] * B[p][k];
    acc = (acc + 16) >> 5;
    if (acc > 255) acc = 255;
    if (acc < 0) { acc = 0; }
    C[i][k] = acc; } }
