#include <stdint.h>
void histogram(const uint8_t p[8][16], uint16_t h[256], uint16_t out[8][16])
{
    for (int v = 0; v < 256; v++) h[v] = 0;
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 16; j++)
            h[p[i][j]]++;
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 16; j++)
            out[i][j] = h[p[i][j]] > 1 ? h[p[i][j]] : -1;
}
