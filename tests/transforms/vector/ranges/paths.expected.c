/* The parts of a row read d[i][k] in all iterations, and set it in none. */
#include <stdio.h>

static int d[150][150];

static void shortest(int n)
{
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            {
                /* s2s: split the loop into 3 parts */
                if (n >= 1 && n <= 150 && k >= 0 && k <= 149) {
                    {
                        long s2s_j_end = n;
                        if (s2s_j_end > k) s2s_j_end = k;
                        if (0 < s2s_j_end) {
                            const int s2s_d_0 = d[i][k];
                            for (int j = 0; j < s2s_j_end; j++) {
                                if (s2s_d_0 + d[k][j] < d[i][j]) {
                                    d[i][j] = s2s_d_0 + d[k][j];
                                }
                            }
                        }
                    }
                    if (n >= (long)k + 1) {
                        const int j = k;
                        if (d[i][k] + d[k][j] < d[i][j]) {
                            d[i][j] = d[i][k] + d[k][j];
                        }
                    }
                    if ((long)k + 1 < n) {
                        const int s2s_d_0 = d[i][k];
                        for (int j = (int)((long)k + 1); j < n; j++) {
                            if (s2s_d_0 + d[k][j] < d[i][j]) {
                                d[i][j] = s2s_d_0 + d[k][j];
                            }
                        }
                    }
                } else {
            for (int j = 0; j < n; j++)
                if (d[i][k] + d[k][j] < d[i][j]) {
                    d[i][j] = d[i][k] + d[k][j];
                }
                }
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
