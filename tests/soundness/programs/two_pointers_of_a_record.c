// s2s: --force -- -O2 -fopenmp
// run
// text: (const char *)(s.u +
// Here they overlap, which the new code sees.
// not said: [race]

#include "soundness/numbers.h"
struct pair { double *u, *v; };
void sweep(int n, int m, int T, double *u_, double *v_)
{
    struct pair s = {u_ + m, u_};
    for (int j = 0; j < m; j++)  // remark: permuted loops
        for (int i = 1; i < n; i++)
 s.u[i*m+j] = s.v[i*m+j+m] * 0.5;
}

#include "soundness/main.h"
