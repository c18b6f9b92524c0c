void add(int32_t a[{first}], int32_t b[{second}], int32_t *restrict w, int32_t c[512]) {{
  v8int32 z = *(v8int32 *)w;
  int32_t *restrict x = a;
  int32_t *restrict y = b;
  for (int i = 0; i < 64; i++) chess_prepare_for_pipelining {{
    v16int32 v = undef_v16int32();
    v = upd_w(v, 0, *(v8int32 *)(x + 8 * i));
    v = upd_w(v, 1, *(v8int32 *)(y + 8 * i));
    *(v8int32 *)(c + 8 * i) = srs(lmul8(v, 0, 0x76543210, z, 0, 0), 4);
  }}
}}
