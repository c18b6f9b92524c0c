#include <stdio.h>
static float x[16][256], y[16][256], z[16][256];
int main(void)
{
    for (int r = 0; r < 16; r++) for (int i = 0; i < 256; i++) x[r][i] = r * i % 31;
    for (int r = 0; r < 16; r++)
        for (int i = 0; i < 256; i++) y[r][i] = x[r][i] * 2 + 1;
    for (int r = 0; r < 16; r++)
        for (int i = 0; i < 256; i++) z[r][i] = y[r][i] > 20 ? y[r][i] : 20;
    double s = 0;
    for (int r = 0; r < 16; r++) for (int i = 0; i < 256; i++) s += z[r][i];
    printf("%g\n", s);
    return 0;
}
