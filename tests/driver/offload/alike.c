/* Rows whose indices differ in an operator alone: x[b * 2] and x[b / 2] are two rows. */
#include <stdint.h>
#include <stdio.h>

enum { ROWS = 8, N = 16 };
static int16_t x[ROWS][N];
static int16_t sums[ROWS][N];

int main(void)
{
    for (int b = 0; b < ROWS; b++)
        for (int i = 0; i < N; i++) x[b][i] = (int16_t)(b * 7 - i);
    for (int b = 1; b < 4; b++) {
        for (int o = 0; o < N; o++)
            sums[b][o] = x[b * 2][o] * 2 + x[b / 2][o];
        printf("%d %d\n", (int)sums[b][3], (int)sums[b][3]);
    }
    return 0;
}
