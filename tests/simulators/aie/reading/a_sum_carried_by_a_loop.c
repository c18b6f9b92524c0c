// a sum carried by a loop
void f(const int32_t *a, const int32_t *w, int32_t *b) {
  v8acc80 sum = null_v8acc80();
  int i = 0;
  do {
    v16int32 x = *(v16int32 *)(a + 8 * i);
    sum = lmac8(sum, x, i, 0x76543210, *(v8int32 *)(w), 3, 0);
    i++;
  } while (i < 5);
  *(v8int32 *)b = srs(sum, 20);
  *(v8int64 *)(b + 8) = lsrs(sum, 0);
}
