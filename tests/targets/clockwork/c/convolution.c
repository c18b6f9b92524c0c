#include <stdint.h>
void convolution(const uint16_t in[66][66], uint16_t out[64][64])
{
    for (int y = 0; y < 64; y++)
        for (int x = 0; x < 64; x++) {
            uint16_t s = 0;
            for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++)
                    s += in[y + i][x + j] * (i + 2 * j + 1);
            out[y][x] = s >> 4;
        }
}
