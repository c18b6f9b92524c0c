// rows of products written out
void f(int16_t o[8][64], const int16_t a[10][80], const int16_t w[2][2]) {
  for (int j = 0; j < 8; j++) for (int i = 0; i < 64; i++)
    o[j][i] = (a[j][i] * w[0][0] + a[j][i + 1] * w[0][1] + a[j + 1][i] * w[1][0]
               + a[j + 1][i + 1] * w[1][1]) >> 4; }
