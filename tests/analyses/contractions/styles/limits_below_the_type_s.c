// limits below the type's
void f(int8_t O[64], const int8_t I[80], const int8_t W[8]) {
  for (int x = 0; x < 64; x++) {
    int acc = 0;
    for (int r = 0; r < 8; r++) acc += I[x + r] * W[r];
    int v = acc >> 4;
    O[x] = v < -7 ? -7 : v > 96 ? 96 : v;
  }
}
