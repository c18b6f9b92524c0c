// counted down
void f(int16_t *O, const int16_t *I, const int16_t *w) {
  int i = 0, k;
  do {
    int acc = 0;
    k = 8;
    while (k-- > 0) acc += I[i + k] * w[k];
    O[i] = acc >> 5;
  } while (++i < 48);
}
