// an inner part of the output
void f(int16_t O[8][24], const int16_t I[8][24], const int16_t W[3][3]) {
  for (int y = 1; y < 7; y++) for (int x = 1; x < 23; x++) {
    int acc = 0;
    for (int s = -1; s <= 1; s++) for (int r = -1; r <= 1; r++)
      acc += I[y + s][x + r] * W[s + 1][r + 1];
    O[y][x] = acc >> 6;
  }
}
