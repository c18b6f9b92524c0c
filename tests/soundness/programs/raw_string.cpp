// s2s: --force -- -O2 -fopenmp
// run
// not said: [race]

#include "soundness/numbers.h"
void sweep(int n, int m, int T, double *u_, double *v_)
{
    for (int j = 0; j < m; j++)
        for (int i = 1; i < n; i++)
 u_[i*m+j] = u_[i*m+j-m] + sizeof(R"(a
   b)");
}

#include "soundness/main.h"
