// a box filter
void f(uint8_t O[6][20], const uint8_t I[8][22]) {
  for (int y = 0; y < 6; y++) for (int x = 0; x < 20; x++) {
    int acc = 4;
    for (int s = 0; s < 3; s++) for (int r = 0; r < 3; r++) acc += I[y + s][x + r];
    O[y][x] = acc >> 3;
  }
}
