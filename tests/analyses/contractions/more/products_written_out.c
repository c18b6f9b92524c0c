// products written out
void f(int16_t o[8][64], const int16_t a[10][80], const int16_t w[3][3]) {
  for (int j = 0; j < 8; j++) for (int i = 0; i < 64; i++) {
    int acc = 0;
    for (int s = 0; s < 3; s++) {
      acc += a[j + s][i] * w[s][0]; acc += w[s][1] * a[j + s][i + 1] + a[j + s][i + 2] * w[s][2]; }
    o[j][i] = acc >> 4; } }
