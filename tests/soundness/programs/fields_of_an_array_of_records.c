// s2s: --force -- -O2 -fopenmp
// run
// not said: [race]

#include "soundness/numbers.h"
struct pair { double a, b; };
void sweep(int n, int m, int T, double *u_, double *v_)
{
    struct pair *p = (struct pair *)u_;
    for (int j = 0; j < m; j++)
        for (int i = 1; i < n; i++)
 p[i*m+j].a = p[i*m+j-m].a * 0.5 + p[i*m+j].b;
}

#include "soundness/main.h"
