// zero padding by continue, with strides and an unsigned bound
void f(int32_t O[5][8], const int16_t I[2][9][15], const int16_t W[2][3][3]) {
  for (int y = 0; y < 5; y++) for (int x = 0; x < 8; x++) {
    int acc = 0;
    for (int c = 0; c < 2; c++) for (int s = 0; s < 3; s++) {
      int iy = y * 2 + s - 1;
      if (iy < 0 || iy >= 9) continue;
      for (int r = 0; r < 3; r++)
        if ((unsigned)(x * 2 + r - 1) < 15u) acc += I[c][iy][x * 2 + r - 1] * W[c][s][r];
    }
    O[y][x] = acc;
  }
}
