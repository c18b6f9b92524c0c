#include <stdint.h>
void filter(int16_t O[24][37], const int16_t I[26][44], const int16_t W[3][3]) {
  for (int y = 0; y < 24; y++)
    for (int x = 0; x < 37; x++) {
      int64_t sum = 0;
      for (int s = 0; s < 3; s++)
        for (int r = 0; r < 3; r++) sum += (int64_t)W[s][r] * I[y + s][x + r];
      O[y][x] = (int16_t)(sum >> 6);
    }
}
