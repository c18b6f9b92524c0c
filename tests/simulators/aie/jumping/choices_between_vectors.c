// choices between vectors
void k(const int32_t *restrict a, const int32_t *restrict w, int32_t *restrict b) {
  const v8int32 *pa = (const v8int32 *)a; const v8int32 *pw = (const v8int32 *)w;
      v8int32 *pb = (v8int32 *)b;
  v8acc80 acc = null_v8acc80();
  for (int i = 0; i < 8; i++) chess_prepare_for_pipelining {
    v8int32 x = i & 1 ? *pa++ : *pw++;
    v16int32 xx = concat(x, i > 3 ? x : pw[0]);
    acc = i == 4 ? lmul8(xx, 0, 0x76543210, x, 0, 0) : lmac8(acc, xx, 1, 0x76543210, x, 0, 0);
    *pb++ = srs(acc, 4);
  }
}
