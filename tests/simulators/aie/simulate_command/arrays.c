#include "aie_intrinsics.h"
alignas(32) static int16_t a[16], b[16];
void f() { static int16_t t[16]; *(v16int16 *)t = *(v16int16 *)a;
  for (int i = 0; i < 16; i++) b[i] = t[15 - i]; }
