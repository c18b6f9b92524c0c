/* Quotients and remainders of negative numbers, which C rounds to zero, and magnitudes;
   the first loop assigns what another assignment has stored. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { H = 8, W = 24 };
static int16_t in[H][W], mean[H][W], rest[H][W], edge[H][W];
static int8_t narrow[H][W], low[H][W];

static int8_t limited(int v) { return v > 127 ? 127 : v < -128 ? -128 : (int8_t)v; }

int main(void)
{
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
            in[y][x] = low[y][x] = (int8_t)((y * 37 + x * 101) % 401 - 200);
    for (int y = 0; y < H; y++)
        for (int x = 1; x < W - 1; x++)
            mean[y][x] = (int16_t)((in[y][x - 1] + in[y][x] + in[y][x + 1]) / 3);
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
            rest[y][x] = (int16_t)(in[y][x] % 7);
    for (int y = 0; y < H; y++)
        for (int x = 1; x < W; x++)
            edge[y][x] = (int16_t)abs(in[y][x] - in[y][x - 1]);
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
            narrow[y][x] = limited(in[y][x] * 2 / 3 - rest[y][x]);
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
            printf("%d %d %d %d %d\n", low[y][x], mean[y][x], rest[y][x], edge[y][x], narrow[y][x]);
    return 0;
}
