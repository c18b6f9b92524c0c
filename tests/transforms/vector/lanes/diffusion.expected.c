#include "soundness/numbers.h"

/* Differences to neighbours, two of which a table names, and a weight between 0 and 1. */
static void weights(int n, int m, const float *restrict u, const int *up, const int *down,
                    float *restrict a, float *restrict b, float *restrict c, float *restrict d,
                    float *restrict w)
{
    float g, h, here;
    int i;

    {
        /* s2s: vectorized the loop */
        if (n >= 16) {
#pragma omp simd
            for (int i = 0; i < n; i++) {
                float g;
                float h;
                float here;
                here = u[i];
                a[i] = u[up[i]] - here;
                b[i] = u[down[i]] - here;
                c[i] = u[i + m] - here;
                d[i] = u[i + 2 * m] - here;
                g = (a[i] * a[i] + b[i] * b[i] + c[i] * c[i] + d[i] * d[i]) / (here * here);
                h = (a[i] + b[i] + c[i] + d[i]) / here;
                w[i] = 1.0f / (1.0f + g - h) - 0.125f;
                if (w[i] < 0) {
                    w[i] = 0;
                } else if (w[i] > 0.75f) {
                    w[i] = 0.75f;
                }
            }
        } else {
    for (i = 0; i < n; i++) {
        here = u[i];
        a[i] = u[up[i]] - here;
        b[i] = u[down[i]] - here;
        c[i] = u[i + m] - here;
        d[i] = u[i + 2 * m] - here;
        g = (a[i] * a[i] + b[i] * b[i] + c[i] * c[i] + d[i] * d[i]) / (here * here);
        h = (a[i] + b[i] + c[i] + d[i]) / here;
        w[i] = 1.0f / (1.0f + g - h) - 0.125f;
        if (w[i] < 0) {
            w[i] = 0;
        } else if (w[i] > 0.75f) {
            w[i] = 0.75f;
        }
    }
        }
    }
}

int main(void)
{
    static float u[300], out[5][100];
    static int up[100], down[100];
    int i, n;
    for (i = 0; i < 300; i++) u[i] = 1 + i * 37 % 11;
    for (n = 0; n < 100; n += 1 + n / 2) {
        for (i = 0; i < n; i++) up[i] = i * 7 % n, down[i] = (i + n / 2) % n;
        weights(n, 100, u, up, down, out[0], out[1], out[2], out[3], out[4]);
        show("out", out, sizeof out);
    }
    return 0;
}
