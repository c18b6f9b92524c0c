// groups by division
void f(int16_t O[8][4][20], const int16_t I[4][6][24], const int16_t W[8][2][3][3]) {
  for (int k = 0; k < 8; k++) for (int y = 0; y < 4; y++) for (int x = 0; x < 20; x++) {
    int acc = 0;
    for (int c = 0; c < 2; c++) for (int s = 0; s < 3; s++) for (int r = 0; r < 3; r++)
      acc += I[(k / 4) * 2 + c][y + s][x + r] * W[k][c][s][r];
    O[k][y][x] = acc >> 10;
  }
}
