#include <stdint.h>
void filter(int16_t out[24][48], const int16_t in[26][56], const int16_t taps[3][3]) {
  for (int y = 0; y < 24; y++)
    for (int x = 0; x < 48; x++) {
      int32_t sum = 0;
      for (int s = 0; s < 3; s++)
        for (int r = 0; r < 3; r++) sum += taps[s][r] * in[y + s][x + r];
      out[y][x] = (int16_t)(sum >> 6);
    }
}
