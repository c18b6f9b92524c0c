/* memory: a at 0x0, b at 0x100 */
void k(const int32_t *restrict a, int32_t *restrict b) {
  const int32_t *restrict p = a;
  for (int i = 0; i < 9; i++) {
    for (int j = 0; j < 8; j++) chess_prepare_for_pipelining chess_loop_range(8, 8) {
      *(v8int32 *)(b + 64 * i + 8 * j) = *(const v8int32 *)p;
      p += 8;
    }
    p -= 32;
  }
}
