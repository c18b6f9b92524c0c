/* One of two nests in a step can be shared; calls without effects can be, too. */
#include "soundness/numbers.h"
#include <math.h>
#define N 90

static double a[N][N], b[N][N], w[N * N];

void step(int steps, int n)
{

    {
        /* s2s: parallel loop over 'i' */
        if (steps >= 1 && n >= 2 && n <= 90) {
            for (int t = 0; t < steps; t++) {
#pragma omp parallel for
                for (int i = 1; i < n; i++) {
                    for (int j = 1; j < n; j++) {
                        a[i][j] = sqrt(fabs(a[i][j - 1])) + b[i][j];
                    }
                }
                for (int i = 1; i < n; i++) {
                    for (int j = 1; j < n; j++) {
                        b[i][j] = .5 * b[i - 1][j - 1] + .25 * b[i][j - 1]
                                  + a[n - i][n - j];
                    }
                }
            }
        } else {
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n; i++)
            for (int j = 1; j < n; j++)
                a[i][j] = sqrt(fabs(a[i][j - 1])) + b[i][j];
        for (int i = 1; i < n; i++)
            for (int j = 1; j < n; j++)
                b[i][j] = .5 * b[i - 1][j - 1] + .25 * b[i][j - 1] + a[n - i][n - j];
    }
        }
    }
}

void each(int n)
{

    {
        /* s2s: parallel loop over 'k' */
        if (n >= 1) {
            if (n >= 1) {
#pragma omp parallel for
                for (int k = n - 1; k >= 0; k--) {
                    w[k] = exp(-w[k]) + w[k] * w[k];
                }
            }
        } else {
    for (int k = n - 1; k >= 0; k--)
        w[k] = exp(-w[k]) + w[k] * w[k];
        }
    }
}

int main(void)
{
    double *p = numbers(N * N, 7);
    for (int k = 0; k < N * N; k++) a[k / N][k % N] = b[k % N][k / N] = w[k] = p[k];
    step(3, N);
    step(1, 2);
    each(N * N);
    each(1);
    show("a", a, sizeof a);
    show("b", b, sizeof b);
    show("w", w, sizeof w);
    free(p);
    return 0;
}
