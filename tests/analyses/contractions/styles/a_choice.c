// a choice
void f(int32_t O[64], const int16_t I[80], const int16_t W[8], const int32_t *b) {
  for (int x = 0; x < 64; x++) for (int r = 0; r < 8; r++)
    O[x] = (r == 0 ? b[0] : O[x]) + I[x + r] * W[r];
}
