#include <stdint.h>
void f(const int8_t in[6][10][8], const int8_t w[16][3][3][8], int8_t out[4][8][16]) {
  for (int y = 0; y < 4; y++) for (int x = 0; x < 8; x++) for (int k = 0; k < 16; k++) {
    int a = 0;
    for (int r = 0; r < 3; r++) for (int s = 0; s < 3; s++) for (int c = 0; c < 8; c++)
      a += in[y + r][x + s][c] * w[k][r][s][c];
    out[y][x][k] = a >> 8;
  }
}
