// kernel: the largest of 3 x 3, 32 at once; packs 9152 bytes of in, 1920 bytes of out
#include <stdint.h>

void pool(const uint8_t in[9][11][40], uint8_t out[5][6][40])
{
    for (int y = 4; y >= 0; y--)
        for (int x = 0; x < 6; x++)
            for (int c = 0; c < 40; c++) {
                uint8_t m = 3;
                for (int r = 0; r < 3; r++)
                    for (int s = 0; s < 3; s++) {
                        int at_y = 2 * y + r - 1, at_x = 2 * x + s - 1;
                        if (at_y < 0 || at_y >= 9 || at_x < 0 || at_x >= 11)
                            continue;
                        m = m > in[at_y][at_x][c] ? m : in[at_y][at_x][c];
                    }
                out[y][x][c] = m;
            }
}
