// loops that are left
void k(const int32_t *restrict a, const int32_t *restrict w, int32_t *restrict b) {
  int n = 0;
  for (int i = 0; i < 64; i++) { if (a[i] > 1900) break; n += a[i]; if (a[i] < -1990) {
      b[1] = i; break; } if (a[i] & 1) continue; n++; }
  b[0] = n;
  int j = 0;
  while (1) { if (++j > 20) break; if (a[j] == 5) break; b[2 + j] = a[j] > 0 ? w[j] : a[j + 1];
      }
  b[60] = j;
}
