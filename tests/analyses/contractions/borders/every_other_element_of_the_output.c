// every other element of the output
void f(int32_t O[10][34], const int16_t I[8][20], const int16_t W[3][3]) {
  for (int y = 0; y < 4; y++) for (int x = 0; x < 16; x++)
    for (int s = 0; s < 3; s++) for (int r = 0; r < 3; r++)
      O[2 * y + 1][2 * x + 1] += I[y + s][x + r] * W[s][r];
}
