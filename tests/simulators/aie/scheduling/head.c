void k(int16_t *restrict a, int16_t *restrict b, int16_t *restrict w, int16_t *restrict out) {
  v16int16 z = *(v16int16 *)w;
  v16int16 carried = *(v16int16 *)a;
  for (int i = 0; i < 16; i++) chess_prepare_for_pipelining {
