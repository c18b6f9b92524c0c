// pools: maximum over 2 x 2, stride 2 x 2, of 8 x 8 x 32
#include <stdint.h>
void bytes(const int8_t in[8][8][32], int8_t out[4][4][32])
{
    for (int y = 0; y < 4; y++)
        for (int x = 0; x < 4; x++)
            for (int c = 0; c < 32; c++) {
                int8_t largest = -128;
                for (int k = 0; k < 4; k++) {
                    int8_t v = in[2 * y + k / 2][2 * x + k % 2][c];
                    if (largest < v)
                        largest = v;
                }
                out[y][x][c] = largest;
            }
}
