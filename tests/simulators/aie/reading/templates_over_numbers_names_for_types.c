// templates over numbers, names for types
using word = int16_t;
template <int TAPS,
          unsigned START>
static inline v16acc48 row(const word *a, v16acc48 acc, v16int16 z) {
  v32int16 x = *(v32int16 *)a;
  for (int i = 0; i < TAPS; i += 2)
    acc = mac16(acc, x, i, 0x03020100, 0x07060504, 0x2110, z, START + i, 0, 0, 1);
  return acc;
}
template <int N> int shift() { return N + 1; }
void f(const word *a, const word *w, word *b) {
  v16int16 z = *(v16int16 *)w;
  v16acc48 acc = row<4, 2>(a, null_v16acc48(), z);
  acc = row<6, 0>(a + 16, acc, z);
  *(v16int16 *)b = srs(acc, shift<11>());
}
