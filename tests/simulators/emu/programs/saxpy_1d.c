/* y += a x over striped arrays: each thread takes a contiguous piece. Arguments: threads n a. */
#include <cilk.h>
#include <memoryweb.h>
#include <stdio.h>
#include <stdlib.h>

static void piece(long *x, long *y, long count, long a)
{
    for (long i = 0; i < count; i++)
        y[i] += a * x[i];
}

int main(int argc, char **argv)
{
    long threads = atol(argv[1]), n = atol(argv[2]), a = atol(argv[3]);
    long *x = mw_malloc1dlong(n), *y = mw_malloc1dlong(n);
    for (long i = 0; i < n; i++) {
        x[i] = i;
        y[i] = 1;
    }
    for (long t = 0; t < threads; t++)
        cilk_spawn piece(&x[t * (n / threads)], &y[t * (n / threads)], n / threads, a);
    cilk_sync;
    mw_free(x);
    mw_free(y);
    return 0;
}
