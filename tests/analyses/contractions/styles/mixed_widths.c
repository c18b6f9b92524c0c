// mixed widths
void f(int32_t O[24], const int32_t I[40], const int8_t W[9], const uint16_t *b) {
  for (int x = 0; x < 24; x++) {
    long sum = b[x];
    for (int r = 0; r < 9; r++) sum += (long)I[x + r] * W[r];
    O[x] = sum >> 3;
  }
}
