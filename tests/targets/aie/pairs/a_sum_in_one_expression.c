void f(const int16_t *restrict I, const int16_t *restrict W, int16_t *restrict O) {
  for (int i = 0; i < 2; i++)
    for (int n = 0; n < 64; n++)
      O[64 * i + n] = (W[0] * I[72 * i + n] + I[72 * i + n + 1] * W[1] + I[n + 72 * i + 2] * W[2]
                       + I[72 * i + n + 3] * W[3] + 64) >> 7;
}
