// s2s: --parallel
// no text: s2sin_
// run
/* What a loop around a call shares is not a loop of the callee, nor one beside the call: both are
   regions of their own, and the callee's gains by more than threads. */
#include <stdio.h>

static float x[3000], r[64];

static void correlate(const float *a, int n, float *out, int lags)
{
    for (int lag = 0; lag < lags; lag++) { // remark: unrolled and jammed
        float sum = 0;
        for (int i = 0; i < n - lag; i++)
            sum += a[i] * a[i + lag];
        out[lag] = sum;
    }
}

int main(int argc, char **argv)
{
    int n = 2900 + argc, lags = 63 + argc;
    (void)argv;
    for (int i = 0; i < 3000; i++)
        x[i] = i * 37 % 59 * 0.125f - 2;
    for (int step = 0; step < 4; step++) {
        correlate(x, n, r, lags);
        for (int i = 0; i < n; i++)
            x[i] = x[i] * 0.5f + r[i % 64] * 0.0001f;
    }
    double sum = 0;
    for (int i = 0; i < 64; i++)
        sum += r[i] * i;
    printf("%.9g\n", sum);
    return 0;
}
