// a rectifier
#define MAX(a, b) ((a) > (b) ? (a) : (b))
void f(int16_t O[64], const int16_t I[80], const int16_t W[8], const int16_t *b) {
  for (int x = 0; x < 64; x++) {
    int acc = b[x];
    for (int r = 0; r < 8; r++) acc += I[x + r] * W[r];
    O[x] = MAX(acc >> 6, 0);
  }
}
