/* A loop over layers that stays on the host: rows of arrays are what its products get. */
#include <stdint.h>
#include <stdio.h>

enum { LAYERS = 3, N = 16 };
static int8_t values[LAYERS + 1][N];
static const int8_t weights[LAYERS][N][N] = {{{1, -2, 3}, {4, 5, -6}}, {{7, 1}}, {{2, 2, 2, 2}}};
static int32_t sums[2][N];

static void through(int first, int last, int into)
{
    for (int l = first; l < last; l++) {
        for (int o = 0; o < N; o++) {
            int32_t sum = 0;
            for (int i = 0; i < N; i++) sum += weights[l][o][i] * values[l][i];
            sums[into][o] = sum;
        }
        for (int o = 0; o < N; o++) {
            int32_t v = sums[into][o] + l;
            values[l + 1][o] = v < -100 ? -100 : v > 100 ? 100 : v;
        }
        printf("%d\n", values[l + 1][0]);
    }
    for (int o = 0; o < N; o++) { /* one row, which is read and written, for into = 0 */
        int32_t sum = 0;
        for (int i = 0; i < N; i++) sum += weights[first][o][i] * sums[0][i];
        sums[into][o] = sum;
    }
}

int main(void)
{
    for (int i = 0; i < N; i++) values[0][i] = (int8_t)(i - 5);
    through(0, LAYERS, 1);
    through(1, 2, 0);
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < N; i++) printf("%d\n", (int)sums[k][i]);
    return 0;
}
