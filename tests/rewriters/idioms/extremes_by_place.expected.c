/* The place of an extremum alone is kept, by which it is read again. */
#include <math.h>
#include "soundness/numbers.h"

static int largest(const double *a, int n)
{
    int m = 0;

    {
        /* s2s: strips of 32 iterations in which nothing happens are passed over */
        int i = 1;
        if ((i < n) && (unsigned long)(n) - (unsigned long)i > 63) {
            long s2s_run = 32, s2s_wait = 32;
            while (i < n) {
                const int s2s_end = (unsigned long)(n) - (unsigned long)i
                                    > (unsigned long)(s2s_run)
                                    ? (int)(i + s2s_run) : n;
                for (; i < s2s_end; i++)
                    if (a[i] > a[m]) m = i;
                while ((i < n) && (unsigned long)(n) - (unsigned long)i > 31) {
                    long s2s_any = 0;
                    const int s2s_i_at = i;
                    for (int s2s_l = 0; s2s_l < 32; s2s_l++) {
                        int i = s2s_i_at + s2s_l;
                        s2s_any |= ((a[i] > a[m]) != 0);
                    }
                    if (s2s_any) break;
                    i += 32;
                    s2s_wait = 32;
                }
                s2s_run = s2s_wait;
                if (s2s_wait < 1024) s2s_wait *= 2;
            }
        } else {
            for (; i < n; i++)
                if (a[i] > a[m]) m = i;
        }
    }
    return m;
}

static long last_smallest(const float *a, long first, long n)
{
    long m = first;

    {
        /* s2s: strips of 64 iterations in which nothing happens are passed over */
        long i = first;
        if ((i < n) && (unsigned long)(n) - (unsigned long)i > 127) {
            long s2s_run = 64, s2s_wait = 64;
            while (i < n) {
                const long s2s_end = (unsigned long)(n) - (unsigned long)i
                                     > (unsigned long)(s2s_run)
                                     ? (long)(i + s2s_run) : n;
                for (; i < s2s_end; i++)
                    if (fabsf(a[m]) >= fabsf(a[i])) m = i;
                while ((i < n) && (unsigned long)(n) - (unsigned long)i > 63) {
                    int s2s_any = 0;
                    const long s2s_i_at = i;
                    for (int s2s_l = 0; s2s_l < 64; s2s_l++) {
                        long i = s2s_i_at + s2s_l;
                        s2s_any |= ((fabsf(a[m]) >= fabsf(a[i])) != 0);
                    }
                    if (s2s_any) break;
                    i += 64;
                    s2s_wait = 64;
                }
                s2s_run = s2s_wait;
                if (s2s_wait < 2048) s2s_wait *= 2;
            }
        } else {
            for (; i < n; i++)
                if (fabsf(a[m]) >= fabsf(a[i])) m = i;
        }
    }
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
