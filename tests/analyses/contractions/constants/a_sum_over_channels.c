// a sum over channels
void f(int32_t O[20], const int16_t I[9][20], const int16_t b[20]) {
  for (int x = 0; x < 20; x++) {
    O[x] = b[x];
    for (int c = 0; c < 9; c++) O[x] -= I[c][x];
  }
}
