// kernel: the largest of 3 x 3, 16 at once; packs 10368 bytes of input, 2688 bytes of least
#include <stdint.h>

/* The arrays have names that a kernel may use itself. */
void pool(const int32_t input[3][9][19], int32_t least[3][7][17])
{
    for (int c = 0; c < 3; c++)
        for (int y = 0; y < 7; y++)
            for (int x = 0; x < 17; x++) {
                least[c][y][x] = INT32_MIN;
                for (int k = 0; k < 9; k++)
                    if (input[c][y + k / 3][x + k % 3] > least[c][y][x])
                        least[c][y][x] = input[c][y + k / 3][x + k % 3];
            }
}
