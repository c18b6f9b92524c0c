// s2s: explain -- -fopenmp
// all: [race]

#include <stdlib.h>
void f(void)
{
#pragma omp parallel
    {
        int *c = malloc(sizeof *c);
        *c = 1;
        free(c);
    }
}
