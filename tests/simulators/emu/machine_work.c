#include <cilk.h>
#include <memoryweb.h>
#include <stdlib.h>

static void visit(long *a, long n)
{
    for (long i = 0; i < n; i++)
        a[i * NODELETS()] += 1;
}

int main(int argc, char **argv)
{
    long *a = mw_malloc1dlong(4096);
    for (long t = 0; t < 64; t++)
        cilk_spawn visit(&a[t % atol(argv[1])], 16);
    cilk_sync;
    return 0;
}
