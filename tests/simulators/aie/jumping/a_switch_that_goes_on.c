// a switch that goes on
void k(const int32_t *restrict a, const int32_t *restrict w, int32_t *restrict b) {
  int n = 0;
  for (int i = 0; i < 40; i++) {
    switch (a[i] & 3) {
      case 0: continue;
      case 1: n += 1; break;
      case 2: if (w[i] > 0) continue; n += 10; break;
      default: n += 100;
    }
    b[i] = n;
  }
  b[50] = n;
}
