// elements, steps of columns, sums from vectors
void f(const int32_t *a, const int16_t *w, int32_t *b) {
  for (int i = 0; i < 4; i++) {
    v16int32 x = *(v16int32 *)(a + 8 * i);
    v16int16 z = *(v16int16 *)w;
    int first = ext_elem(x, 3) ^ 0x55;
    x = upd_elem(x, 2, first);
    v8acc80 sum = lups(ext_w(x, 1), 4);
    sum = lmac8(sum, x, 0, 0x76543210, 8, z, 0, 0x00000000, 1);
    *(v8int32 *)(b + 8 * i) = srs(sum, 10);
  }
}
