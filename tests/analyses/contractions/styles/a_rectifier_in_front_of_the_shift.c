// a rectifier in front of the shift
void f(int16_t O[64], const int16_t I[80], const int16_t W[8]) {
  for (int x = 0; x < 64; x++) {
    int acc = 0;
    for (int r = 0; r < 8; r++) acc += I[x + r] * W[r];
    O[x] = acc > 0 ? acc >> 9 : 0;
  }
}
