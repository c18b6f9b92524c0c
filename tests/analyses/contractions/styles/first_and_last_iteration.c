// first and last iteration
void f(int16_t O[64], const int16_t I[80], const int16_t W[8]) {
  int acc[64];
  for (int x = 0; x < 64; x++) for (int r = 0; r < 8; r++) {
    if (!r) acc[x] = 1 << 9;
    acc[x] += I[x + r] * W[r];
    if (r == 7) O[x] = acc[x] >> 10;
  }
}
