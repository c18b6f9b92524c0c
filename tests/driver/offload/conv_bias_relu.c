#include <stdio.h>
#define C 3
#define K 4
#define N 12
static float image[C][N + 2][N + 2];
static const float weights[K][C][3][3] = {
    {{{1, 2, 1}, {2, 4, 2}, {1, 2, 1}}, {{0, 1, 0}, {1, -4, 1}, {0, 1, 0}}, {{1, 0, -1}, {2, 0, -2}, {1, 0, -1}}},
    {{{1, 1, 1}, {1, 1, 1}, {1, 1, 1}}, {{-1, 0, 1}, {-1, 0, 1}, {-1, 0, 1}}, {{0, 0, 0}, {0, 5, 0}, {0, 0, 0}}},
    {{{3, 1, 3}, {1, -7, 1}, {3, 1, 3}}, {{2, 1, 0}, {1, 0, -1}, {0, -1, -2}}, {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}},
    {{{-3, 1, 3}, {1, 7, 1}, {3, -1, 3}}, {{2, -1, 0}, {1, 0, 1}, {0, 1, 2}}, {{9, 8, 7}, {6, 5, 4}, {3, 2, 1}}}};
static const float bias[K] = {0.5f, -20, 30, -100};
int main(void)
{
    float sums[K][N][N], shifted[K][N][N], result[K][N][N];
    for (int c = 0; c < C; c++)
        for (int y = 0; y < N + 2; y++)
            for (int x = 0; x < N + 2; x++)
                image[c][y][x] = (float)((c * 31 + y * 7 + x * 13) % 41 - 20) / 8;
    for (int k = 0; k < K; k++)
        for (int y = 0; y < N; y++)
            for (int x = 0; x < N; x++) {
                sums[k][y][x] = 0;
                for (int c = 0; c < C; c++)
                    for (int r = 0; r < 3; r++)
                        for (int s = 0; s < 3; s++)
                            sums[k][y][x] += image[c][y + r][x + s] * weights[k][c][r][s];
            }
    for (int k = 0; k < K; k++)
        for (int y = 0; y < N; y++)
            for (int x = 0; x < N; x++)
                shifted[k][y][x] = sums[k][y][x] + bias[k];
    for (int k = 0; k < K; k++)
        for (int y = 0; y < N; y++)
            for (int x = 0; x < N; x++)
                result[k][y][x] = shifted[k][y][x] > 0 ? shifted[k][y][x] : 0;
    double sum = 0, largest = 0;
    for (int k = 0; k < K; k++)
        for (int y = 0; y < N; y++)
            for (int x = 0; x < N; x++) {
                sum += result[k][y][x];
                if (result[k][y][x] > largest) largest = result[k][y][x];
            }
    printf("%.1f %.1f\n", sum, largest);
    return 0;
}
