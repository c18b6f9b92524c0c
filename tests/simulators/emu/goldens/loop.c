#include <cilk/cilk.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    long n = atol(argv[1]), *to = malloc(n * sizeof *to);
#pragma cilk grainsize = 8
    cilk_for (long i = 0; i < n; i++)
        to[i] = i;
    return to[n - 1] != n - 1;
}
