// the best of a few
void k(const int32_t *restrict a, const int32_t *restrict w, int32_t *restrict b) {
  int best = -2147483647, at = -1, n = 0;
  for (int i = 0; i < 128; i++) { int v = a[i] * w[i & 7]; if (v <= best) continue; best = v;
      at = i; if (++n == 6) break; }
  b[0] = best; b[1] = at; b[2] = n;
}
