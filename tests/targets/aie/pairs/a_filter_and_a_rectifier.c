void f(const int16_t I[10][40], const int16_t W[3][3], int16_t O[8][32]) {
  for (int y = 0; y < 8; y++) for (int x = 0; x < 32; x++) {
    int acc = 0;
    for (int s = 0; s < 3; s++) for (int r = 0; r < 3; r++) acc += I[y + s][x + r] * W[s][r];
    O[y][x] = acc < 0 ? 0 : acc >> 10;
  }
}
