// two dimensions and memory of its own
typedef int32_t word;
static word scratch[4][16];
void f(const int32_t a[8][16], const int32_t *w, int32_t (*b)[16]) {
  for (int y = 0; y < 4; y++)
    for (int x = 0; x < 16; x += 8) {
      v16int32 v = null_v16int32();
      v = upd_w(v, 0, *(v8int32 *)&a[2 * y][x]);
      *(v8int32 *)&scratch[y][x] = srs(lmul8(v, 0, 0x76543210, *(v8int32 *)w, 5, 0), 16);
    }
  for (int y = 3; y >= 0; y--) {
    word *row = scratch[y];
    for (int x = 0; x != 16; ++x) b[y][x] = row[15 - x] * 3 - (x << 2);
  }
}
