// the sum's loop outermost
void f(int16_t *O, const int16_t *I, const int16_t *W, const int16_t *B) {
  int32_t acc[16];
  for (int c = 0; c < 32; c++) for (int k = 0; k < 16; k++) {
    if (c == 0) acc[k] = B[k];
    acc[k] += I[c] * W[c * 16 + k];
    if (c == 31) O[k] = acc[k] >> 7;
  }
}
