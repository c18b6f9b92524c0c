// s2s: --force -- -O2 -fopenmp
// stays
// not said: [race]

#include "soundness/numbers.h"
struct pair { double a, b; };
void sweep(int n, int m, int T, double *u_, double *v_)
{
    double (*u)[m] = (double (*)[m])u_; double (*v)[m] = (double (*)[m])v_;struct pair s; s.b = 2;
    for (int j = 0; j < m; j++)
        for (int i = 1; i < n; i++)
 { s.a = u[i][j]; v[i][j] = s.a + s.b; }
}

#include "soundness/main.h"
