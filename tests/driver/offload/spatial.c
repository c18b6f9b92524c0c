#include <stdio.h>
static int in[3][16][16], w[8][3][3][3], out[8][14][14];
int main(void)
{
    unsigned sum = 0;
    for (int i = 0; i < 768; i++) ((int *)in)[i] = i * 37 % 101 - 50;
    for (int i = 0; i < 216; i++) ((int *)w)[i] = i * 31 % 17 - 8;
    for (int k = 0; k < 8; k++)
        for (int c = 0; c < 3; c++)
            for (int y = 0; y < 14; y++)
                for (int x = 0; x < 14; x++)
                    for (int r = 0; r < 3; r++)
                        for (int s = 0; s < 3; s++)
                            out[k][y][x] += in[c][y + r][x + s] * w[k][c][r][s];
    for (int k = 0; k < 8 * 14 * 14; k++) sum = sum * 31 + (unsigned)((int *)out)[k];
    printf("%u\n", sum);
    return 0;
}
