// a helper that stores
static void helper(const int16_t *in, const int16_t *w, int32_t *acc, int n, int taps) {
  for (int x = 0; x < n; x++) for (int r = 0; r < taps; r++) acc[x] += in[x + r] * w[r];
}
void f(int32_t O[8][32], const int16_t I[10][48], const int16_t W[3][3]) {
  for (int y = 0; y < 8; y++) {
    for (int x = 0; x < 32; x++) O[y][x] = 0;
    for (int s = 0; s < 3; s++) helper(I[y + s], W[s], O[y], 32, 3);
  }
}
