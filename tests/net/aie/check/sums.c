#include <stdint.h>
int32_t image[70], taps[5];
void sums(int32_t *out) {
  for (int x = 0; x < 64; x++)
    for (int r = 0; r < 5; r++) out[x] += image[x + r] * taps[r];
}
