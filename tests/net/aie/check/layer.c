#include <stdint.h>
struct layer { const int8_t *weights; int32_t bias[32]; int channels; };
static inline int8_t narrow(int v) { return v < -128 ? -128 : v > 127 ? 127 : v; }
void layer(int8_t out[16][32], const int8_t in[16][32], const struct layer *l) {
  for (int p = 0; p < 16; p++)
    for (int k = 0; k < 32; k++) {
      int32_t sum = l->bias[k];
      for (int c = 0; c < 32; c++) sum += in[p][c] * l->weights[c * 32 + k];
      out[p][k] = narrow((sum + 8) >> 4);
    }
}
