// namespaces, array references and additions
namespace one { namespace two { inline int twice(int n) { return 2 * n; } } }
using namespace one::two;
void f(input_window_int32 *restrict a, const int32_t (&w)[16], output_window_int32 *b) {
  const int32_t *restrict from = (int32_t *)a->ptr;
  v8int32 *restrict to = (v8int32 *)b->ptr;
  alignas(32) int32_t ones[8] = {1, 2, 3, -4};
  v8int32 z = *(v8int32 *)ones;
  for (unsigned i = 0; i < 4; i++) chess_prepare_for_pipelining chess_loop_range(1, ) {
    v16int32 x = *(v16int32 *)(from + 8 * i), sums;
    v8int32 low = srs(lmul8(x, 1, 0x76543210, z, 0, 0x32103210), 3);
    sums = sub16(concat(low, undef_v8int32()), 0, 0x76543210, 0xFEDCBA98,
                 concat(*(v8int32 *)w, low), i, 0x54321076, 0xFEDCBA98);
    *to++ = ext_w(sums, 0);
    sums = add16(x, concat(low, low));
    unsigned greater = gt16(sums, i, 0x76543210, 0xFEDCBA98, x, 0, 0x76543210, 0xFEDCBA98);
    sums = select16(greater ^ twice(i), sums, add16(x, sums));
    *(to)++ = ext_w(sums, 1);
  }
}
