// s2s: explain -- -fopenmp
// all: [race]

#include <stdlib.h>
void f(void)
{
int *c = malloc(sizeof *c);
#pragma omp parallel
    {
        *c = 1; // warning: data race on 'c': nothing orders these accesses // note: the other access is here
        free(c);
    }
}
