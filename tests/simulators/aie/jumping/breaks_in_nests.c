// breaks in nests
void k(const int32_t *restrict a, const int32_t *restrict w, int32_t *restrict b) {
  int total = 0;
  for (int y = 0; y < 8; y++) {
    int x;
    for (x = 0; x < 16; x++) {
      int v = a[y * 16 + x];
      if (v > 1500) break;
      if (v < 0) { if (v < -1800) break; continue; }
      total += v;
    }
    b[y] = x;
    if (total > 20000) break;
  }
  b[15] = total;
}
