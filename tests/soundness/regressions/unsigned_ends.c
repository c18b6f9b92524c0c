// s2s: --parallel --force --no-check --passes=lanes -- -O3 -fopenmp -march=haswell
// run
// text: if (256 * s2s_j_strip <= s2s_j_end)
/* Ends below zero: a counter without a sign took them for the largest numbers, and never ended. */
#include <stddef.h>
#include "soundness/numbers.h"

static void turned(double *restrict o, const double *a, size_t n, size_t m, size_t s)
{
    // remark: iterations of 'j' side by side, parallel outside, split at the edges [lanes]
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < m; j++) {
            double q = 0;
            for (size_t k = 0; k < 2; k++)
                for (size_t l = 0; l < 3; l++) q += a[i * m + (j + s < m ? j + s : j + s - m)];
            o[i * m + j] = q;
        }
}

int main(void)
{
    double *in = numbers(4000, 1), *out = numbers(4000, 2);
    for (size_t m = 1; m < 60; m += 7)
        for (size_t s = 0; s <= m; s++) {
            turned(out, in, 9, m, s);
            show("turned", out, 4000 * sizeof *out);
        }
    return 0;
}
