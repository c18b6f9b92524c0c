// a bias in the first iteration
void f(int16_t O[8][32], const int16_t I[10][48], const int16_t W[3][3], const int16_t B[8]) {
  for (int y = 0; y < 8; y++) for (int x = 0; x < 32; x++) {
    int acc;
    for (int s = 0; s < 3; s++) for (int r = 0; r < 3; r++) {
      if (s == 0 && r == 0) acc = B[y];
      acc += I[y + s][x + r] * W[s][r];
    }
    O[y][x] = acc >> 8;
  }
}
