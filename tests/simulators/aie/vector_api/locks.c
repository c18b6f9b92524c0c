void k(int32_t *restrict a, int32_t *restrict w, int32_t *restrict b) {
  acquire(48, 1);
  v16int32 x = *(v16int32 *)a;
  v8acc80 s = lmul8(x, 0, 0x76543210, *(v16int32 *)w, 1, 0x0);
  *(v8int32 *)b = srs(s, 2);
  release(48, 0);
}
