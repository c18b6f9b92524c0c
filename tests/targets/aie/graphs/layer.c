#include <stdint.h>

/* 3x3, border of zeros, bias, rounded and saturated. */
void layer(const int8_t in[4][8][32], const int8_t w[16][3][3][32], const int32_t b[16], int8_t out[4][8][16])
{
    for (int y = 0; y < 4; y++)
        for (int x = 0; x < 8; x++)
            for (int k = 0; k < 16; k++) {
                int32_t acc = b[k] + 64;
                for (int r = 0; r < 3; r++)
                    for (int s = 0; s < 3; s++)
                        for (int c = 0; c < 32; c++)
                            if (y + r >= 1 && y + r < 5 && x + s >= 1 && x + s < 9)
                                acc += in[y + r - 1][x + s - 1][c] * w[k][r][s][c];
                acc >>= 7;
                out[y][x][k] = acc > 127 ? 127 : acc < -128 ? -128 : acc;
            }
}
