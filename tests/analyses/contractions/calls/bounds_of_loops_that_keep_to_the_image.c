// bounds of loops that keep to the image
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define MIN(a, b) ((a) < (b) ? (a) : (b))
void f(int32_t O[6][24], const int16_t I[6][24], const int16_t W[3][3]) {
  for (int y = 0; y < 6; y++) for (int x = 0; x < 24; x++) {
    int acc = 1, s1 = MIN(3, 7 - y);
    for (int s = MAX(0, 1 - y); s < s1; s++)
      for (int r = MAX(0, 1 - x); r <= MIN(2, 24 - x); r++)
        acc += I[y + s - 1][x + r - 1] * W[s][r];
    O[y][x] = acc;
  }
}
