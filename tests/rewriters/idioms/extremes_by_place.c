// s2s: --passes=idioms -- -O3
// run
/* The place of an extremum alone is kept, by which it is read again. */
#include <math.h>
#include "soundness/numbers.h"

static int largest(const double *a, int n)
{
    int m = 0;
    // remark: strips of 32 iterations in which nothing happens are passed over [idioms]
    for (int i = 1; i < n; i++)
        if (a[i] > a[m]) m = i;
    return m;
}

static long last_smallest(const float *a, long first, long n)
{
    long m = first;
    // remark: strips of 64 iterations in which nothing happens are passed over [idioms]
    for (long i = first; i < n; i++)
        if (fabsf(a[m]) >= fabsf(a[i])) m = i;
    return m;
}

/* Not places of one array, and what the loop stores. */
static int others(double *a, const double *b, int n)
{
    int m = 0, k = 0;
    for (int i = 1; i < n; i++)
        if (a[i] > b[m]) m = i;
    for (int i = 1; i < n; i++)
        if (a[i] > a[k]) k = i + 1;
    for (int i = 1; i < n; i++) {
        if (a[i] > a[m]) m = i;
        a[i] = b[i];
    }
    return m + k;
}

int main(void)
{
    double *in = numbers(6000, 1), *other = numbers(6000, 3);
    float *narrow = malloc(6000 * sizeof *narrow);
    for (int i = 0; i < 6000; i++) narrow[i] = (float)in[i] - 0.5f;
    for (int n = 1; n < 6000; n += 1 + n / 2) {
        if (n > 2000) in[1999] = 0.0 / 0.0;
        if (n > 3000) in[2900] = 1e9;
        printf("%d %ld\n", largest(in, n), last_smallest(narrow, n / 7, n));
        printf("%d\n", others(other, in + 3, n / 2));
    }
    in[0] = 0.0 / 0.0;
    printf("%d\n", largest(in, 5000));
    return 0;
}
