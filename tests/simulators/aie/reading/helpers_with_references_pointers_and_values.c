// helpers with references, pointers and values
#define OFFSETS 0x76543210
static inline void add(v8acc80 &sum, v16int32 x, v8int32 z) {
  sum = lmac8(sum, x, 1, OFFSETS, z, 1, 0);
}
static void twice(v8acc80 *sum, v16int32 x, v8int32 z) {
  *sum = lmsc8(*sum, x, 2, OFFSETS, z, 2, 0);
  add(*sum, x, z);
}
static v16int32 wide(const int32_t *p) {
  return concat(*(v8int32 *)p, *(v8int32 *)(p + 8));
}
void f(const int32_t *a, const int32_t *w, int32_t *b) {
  for (int i = 0; i < 32; i += 8) chess_prepare_for_pipelining chess_loop_range(4, 4) {
    v16int32 x = wide(a + i);
    v8int32 z = *(v8int32 *)w;
    v8acc80 sum = lmul8(x, 0, OFFSETS, z, 0, 0);
    add(sum, x, z);
    twice(&sum, x, z);
    *(v8int32 *)(b + i) = srs(sum, 11);
  }
}
