#include <stdint.h>
#include <stdio.h>
#define N 16
static int16_t image[N + 2][N + 2], feature[N][N];
static uint8_t pooled[N / 2][N / 2], bytes[N][N];
static const int16_t weights[3][3] = {{1, 2, 1}, {2, 4, 2}, {1, 2, 1}};
int main(int argc, char **argv)
{
    int i, j, n = 3;
    for (i = 0; i < N + 2; i++)
        for (j = 0; j < N + 2; j++)
            image[i][j] = (int16_t)((i * 7 + j * 13) % 64);
    for (int y = 0; y < N; y++)
        for (int x = 0; x < N; x++) {
            int s = 0;
            for (int k = 0; k < n; k++)
                for (int l = 0; l < 3; l++)
                    s += image[y + k][x + l] * weights[k][l];
            feature[y][x] = (int16_t)(s >> 4);
        }
    for (int y = 0; y < N; y++)
        for (int x = 0; x < N; x++)
            bytes[y][x] = (uint8_t)feature[y][x];
    for (int y = 0; y < N / 2; y++)
        for (int x = 0; x < N / 2; x++) {
            uint8_t m = 0;
            for (int k = 0; k < 2; k++)
                for (int l = 0; l < 2; l++)
                    if (bytes[2 * y + k][2 * x + l] > m) m = bytes[2 * y + k][2 * x + l];
            pooled[y][x] = m;
        }
    long sum = 0;
    for (i = 0; i < N / 2; i++)
        for (j = 0; j < N / 2; j++)
            sum = sum * 31 + pooled[i][j];
    printf("%ld\n", sum);
    return 0;
}
