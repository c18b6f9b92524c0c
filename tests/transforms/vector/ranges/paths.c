// s2s: --force
// run
// text x2: const int s2s_d_0 = d[i][k];
/* The parts of a row read d[i][k] in all iterations, and set it in none. */
#include <stdio.h>

static int d[150][150];

static void shortest(int n)
{
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                if (d[i][k] + d[k][j] < d[i][j]) {
                    d[i][j] = d[i][k] + d[k][j];
                }
}

int main(void)
{
    for (int n = 60; n <= 150; n += 45) {
        unsigned sum = 0;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                d[i][j] = (i * 37 + j * 91 + i * j % 13) % 997 - (i == j && i % 9 == 0);
        shortest(n % 150 + 1);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                sum = sum * 31 + (unsigned)d[i][j];
        printf("%u\n", sum);
    }
    return 0;
}
