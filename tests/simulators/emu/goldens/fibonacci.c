#include <cilk/cilk.h>
#include <stdlib.h>

static long rabbits(long months)
{
    long young, old;
    if (months < 2)
        return months;
    young = cilk_spawn rabbits(months - 2);
    old = cilk_spawn rabbits(months - 1);
    cilk_sync;
    return young + old;
}

int main(int argc, char **argv) { return rabbits(atol(argv[1])) != 55; }
