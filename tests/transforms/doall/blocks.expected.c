/* Blocks with locals of their own that stay together, their counters declared in the middle. */
#include "soundness/numbers.h"
#define N 41

static double x[N][N], y[N][N];

void spread(int n)
{

    {
        /* s2s: parallel loop over 'i' */
        if (n >= 1 && n <= 41) {
#pragma omp parallel for
            for (int i = 0; i < n; i++) {
                for (int j = 0; j < n; j++) {
                    {
                        double b[8];
                        int q;
                        for (q = 0; q < 8; q++) b[q] = x[i][j] + q;
                        y[j][i] = b[j & 7];
                    }
                    {
                        double b[8];
                        int q;
                        for (q = 0; q < 8; q++) b[q] = x[i][j] - q;
                        y[j][i] += b[i & 7];
                    }
                }
            }
        } else {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            { double b[8]; int q; for (q = 0; q < 8; q++) b[q] = x[i][j] + q; y[j][i] = b[j & 7]; }
            { double b[8]; int q; for (q = 0; q < 8; q++) b[q] = x[i][j] - q; y[j][i] += b[i & 7]; }
        }
        }
    }
}

int main(void)
{
    double *p = numbers(N * N, 2);
    for (int k = 0; k < N * N; k++) x[k / N][k % N] = p[k];
    spread(N);
    spread(1);
    show("y", y, sizeof y);
    free(p);
    return 0;
}
