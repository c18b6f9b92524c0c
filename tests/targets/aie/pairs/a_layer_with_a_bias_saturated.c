void f(const int16_t I[4][6][40], const int16_t W[5][4][3][3], const int32_t B[5],
       int16_t O[5][4][32]) {
  for (int y = 0; y < 4; y++) for (int x = 0; x < 32; x++) for (int k = 0; k < 5; k++) {
    int acc;
    for (int c = 0; c < 4; c++) for (int s = 0; s < 3; s++) for (int r = 0; r < 3; r++) {
      if (c + s + r == 0 && c == 0 && s == 0 && r == 0) acc = B[k];
      acc += I[c][y + s][x + r] * W[k][c][s][r];
    }
    acc >>= 8;
    O[k][y][x] = acc > 32767 ? 32767 : acc < -32768 ? -32768 : acc;
  }
}
