// s2s: --force -- -O2 -fopenmp
// stays
// not said: [race]

#include "soundness/numbers.h"
struct one { double *p; };
static void skewed(int n, int m, double *restrict r)
{
    struct one s;
    s.p = r;
    for (int j = 0; j < m; j++)
        for (int i = 1; i < n; i++)
 r[i*m+j] = r[i*m+j-m] * 0.5 + s.p[i*m+j-m+1];
}
void sweep(int n, int m, int T, double *u_, double *v_)
{
    double (*u)[m] = (double (*)[m])u_; double (*v)[m] = (double (*)[m])v_;
    skewed(n, m, u_);
}

#include "soundness/main.h"
