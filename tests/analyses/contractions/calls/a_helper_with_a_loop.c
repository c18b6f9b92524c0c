// a helper with a loop
static int helper(const int16_t *a, const int16_t *b, int n) {
  int s = 0;
  while (n--) s += *a++ * *b++;
  return s;
}
void f(int16_t O[8][32], const int16_t I[10][48], const int16_t W[3][3]) {
  int y = 0;
  while (y < 8) {
    int x = 0;
    while (x < 32) {
      int acc = 0, s;
      for (s = 0; s < 3; ++s) acc += helper(&I[y + s][x], W[s], 3);
      O[y][x] = acc >> 6;
      x++;
    }
    ++y;
  }
}
