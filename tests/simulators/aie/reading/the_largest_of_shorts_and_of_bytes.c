// the largest of shorts and of bytes
void f(const int16_t *restrict a, const int8_t *restrict c, int16_t *restrict b) {
  for (int i = 0; i < 2; i++) chess_prepare_for_pipelining chess_loop_range(2, 2) {
    v64int16 x = concat(*(const v32int16 *)(a + 32 * i), *(const v32int16 *)(a + 32 * i + 32));
    v32int16 rows = max32(x, 0, 0x06040200, 0x0e0c0a08, 0x3210, 32, 0x06040200, 0x0e0c0a08, 0x3210);
    rows = shuffle32(rows, 2, 0x06040200, 0x0e0c0a08, 0x3120);
    v32int16 bytes = unpack(*(const v32int8 *)(c + 32 * i));
    rows = min32(rows, 0, 0x1c181410, 0x06040200, 0x3210, bytes, 0, 0x1d191511, 0x0e0c0a08, 0x1203);
    rows = select32(0xc5cc3a33u + i, rows, bytes);
    rows = select32(0x3c3c9696u, rows, 0, 0x1c181410, 0x06040200, 0x3210, 4, 0x06040200, 0x0e0c0a08, 0x1203);
    *(v16int16 *)(b + 32 * i) = ext_w(max32(rows, bytes), 0);
    *(v16int16 *)(b + 32 * i + 16) = unpack(*(const v16uint8 *)(c + 16 * i));
  }
}
