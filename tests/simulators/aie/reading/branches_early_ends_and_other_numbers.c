// branches, early ends and other numbers
enum { STEP = 16, LAST = 3 };
const int shifts[4] = {3, 5, 7, 9};
static void one(const int16_t *a, const int16_t *w, int16_t *b, int i) {
  if (i == 2) return;
  v32int16 x = *(v32int16 *)a;
  v16acc48 sum = mul16(x, 0, 0, 0, 0x2110, *(v16int16 *)w, 0, 0x76543210, 0xfedcba98, 1);
  int shift = shifts[i];
  if (i & 1) {
    sum = mac16(sum, x, 4, 0, 0, 0x2110, *(v16int16 *)w, 0, 0x76543210, 0xfedcba98, 1);
    shift = i > 1 ? shift + 1 : shift - 1;
  } else
    shift += (int)(unsigned char)(256 + i);
  *(v16int16 *)b = srs(sum, shift);
}
void f(const int16_t *a, const int16_t *w, int16_t *b) {
  for (unsigned i = 0; i <= LAST; ++i) one(&a[i * STEP], w, b + i * STEP, i);
}
