// groups
void f(int16_t O[8][8][32], const int16_t I[8][10][48], const int16_t W[8][4][3][3]) {
  for (int g = 0; g < 2; g++) for (int k = 0; k < 4; k++)
    for (int y = 0; y < 8; y++) for (int x = 0; x < 32; x++) {
      int acc = 0;
      for (int c = 0; c < 4; c++) for (int s = 0; s < 3; s++) for (int r = 0; r < 3; r++)
        acc += I[g * 4 + c][y + s][x + r] * W[g * 4 + k][c][s][r];
      O[g * 4 + k][y][x] = acc >> 10;
    }
}
