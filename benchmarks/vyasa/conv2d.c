/* A filter over an image of one channel: -DBITS=32 for 32-bit pixels, -DCOLUMNS=5 -DROWS=5. */
#include "pixels.h"

void conv2d(const pixel I[Y + ROWS - 1][WIDTH], const pixel W[ROWS][COLUMNS], pixel O[Y][X])
{
    for (int y = 0; y < Y; y++)
        for (int x = 0; x < X; x++) {
            int64_t sum = 0;
            for (int s = 0; s < ROWS; s++)
                for (int r = 0; r < COLUMNS; r++)
                    sum += (int64_t)W[s][r] * I[y + s][x + r];
            O[y][x] = (pixel)(sum >> 10);
        }
}
