// other names and order
#define WIDTH 32
void conv(const int16_t I[10][40], const int16_t W[3][3], int16_t O[8][WIDTH]) {
  int row, b, a;
  for (unsigned col = 0; col != WIDTH; ++col)
    for (row = 0; row < 8; row += 1) {
      long total = 0L;
      for (a = 0; a <= 2; a++)
        for (b = 0; 3 > b; b++)
          total = (long)W[b][a] * I[b + row][col + a] + total;
      O[row][col] = total >> 10;
    }
}
