#include <stdint.h>

void product(const int16_t a[16][32], const int16_t b[32][32], int16_t c[16][32])
{
    for (int i = 0; i < 16; i++)
        for (int j = 0; j < 32; j++) {
            int32_t acc = 0;
            for (int k = 0; k < 32; k++) acc += a[i][k] * b[k][j];
            c[i][j] = acc >> 6;
        }
}
