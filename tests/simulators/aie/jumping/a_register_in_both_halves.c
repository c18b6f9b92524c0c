// a register in both halves
void k(const int32_t *restrict a, const int32_t *restrict w, int32_t *restrict b) {
  const v8int32 *restrict m = (const v8int32 *)a; v8int32 *restrict o = (v8int32 *)b;
  v8int32 v = *(const v8int32 *)w;
  v16int32 x = undef_v16int32();
  v8acc80 acc;
  int j = 0;
  do {
    x = upd_w(x, 0, *m++);
    acc = j == 0 ? lmul8(x, 0, 0x76543210, v, 0, 0) : j == 1 ? lmac8(acc, x, 0, 0x76543210, v,
        1, 0) : lmac8(acc, x, 0, 0x76543210, v, 2, 0);
  } while (++j < 3);
  *o = srs(acc, 3);
}
