// a loop unrolled up to its break
void k(const int32_t *restrict a, const int32_t *restrict w, int32_t *restrict b) {
  v8acc80 acc[4];
  for (int i = 0; i < 4; i++) { if (i == 3) break;
      acc[i] = lups(*(const v8int32 *)(a + 8 * i), i); }
  for (int i = 0; i < 3; i++) *(v8int32 *)(b + 8 * i) = srs(acc[i], 1);
}
