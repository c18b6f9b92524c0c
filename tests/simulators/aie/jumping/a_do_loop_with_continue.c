// a do loop with continue
void k(const int32_t *restrict a, const int32_t *restrict w, int32_t *restrict b) {
  int i = 0; do { if (a[i] > 1000) { i += 2; continue; } if (a[i] < -1500) break; b[i] = w[i];
      i++; } while (i < 60);
  b[63] = i;
}
