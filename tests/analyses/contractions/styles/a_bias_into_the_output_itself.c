// a bias into the output itself
void f(int32_t *O, const int16_t *I, const int16_t *W, const int32_t *B) {
  for (int k = 0; k < 16; k++)
    for (int c = 0; c < 32; c++) { if (c < 1) O[k] = B[k]; O[k] += I[c] * W[c * 16 + k]; }
}
