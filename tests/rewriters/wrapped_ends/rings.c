// s2s: --passes=wrapped-ends -- -O3
// run
/* Sums and differences around rings. */
#include "soundness/numbers.h"

static void slopes(double *o, const double *a, int n)
{
    // remark: remainders by 'n' at the ends alone [wrapped-ends]
    for (int i = 0; i < n; i++) o[i] = a[(i + 1) % n] - a[(i - 1 + n) % n];
}

static double area(const double *x, const double *y, long k)
{
    double s = 0;
    long i;
    // remark: remainders by 'k' at the ends alone [wrapped-ends]
    for (i = 0; i < k; i++) {
        long j = (i + 2) % k;
        if (x[i] > 0.9) continue;
        s += x[i] * y[j] - x[j] * y[i];
    }
    return s + i;
}

/* Without a sign the sum with the length wraps for the largest lengths. */
static void steps(double *o, const double *a, size_t m, size_t n)
{
    for (size_t t = 0; t < m; t++)
        // remark: remainders by 'n' at the ends alone [wrapped-ends]
        for (size_t i = 1; i < n; i++) {
            size_t l = (i + n - 3) % n;
            o[i] = o[l] + a[(i + 4) % n];
        }
}

int main(void)
{
    double *in = numbers(4000, 1), *out = numbers(4000, 2);
    for (int n = -2; n < 40; n += 1 + n / 3) {
        slopes(out, in, n);
        printf("%.17g\n", area(in, out, n) + area(out, out, n + 1));
        slopes(out + 1, out, n);
        if (n > 3) steps(out, in, 3, (size_t)n);
        show("slopes", out, 4000 * sizeof *out);
    }
    return 0;
}
