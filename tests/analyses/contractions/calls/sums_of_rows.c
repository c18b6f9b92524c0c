// sums of rows
void f(int16_t *out, const int16_t *in, const int16_t *w) {
  for (int y = 0; y < 8; y++) for (int x = 0; x < 32; x++) {
    int acc = 7;
    for (int s = 0; s < 3; s++) {
      int row = 0;
      for (int r = 0; r < 3; r++) row += in[(y + s) * 40 + x + r] * w[3 * s + r];
      acc += row;
    }
    out[y * 32 + x] = acc >> 9;
  }
}
