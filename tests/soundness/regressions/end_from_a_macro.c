// s2s: --force -- -O2 -fopenmp
// stays

#include "soundness/numbers.h"

#define FOR(i, n) for (int i = 0; i < (n); i++)
#define BODY u[i][j] = u[i][j] * 0.5 + v[i][j];
#define NEST FOR(j, m) FOR(i, n) BODY
void sweep(int n, int m, int T, double *u_, double *v_)
{
    double (*u)[m] = (double (*)[m])u_; double (*v)[m] = (double (*)[m])v_;
FOR(j, m) FOR(i, n) { BODY } // missed: the end of a statement is not where it is expected
FOR(j, m) FOR(i, n) BODY // missed: the end of a statement is not where it is expected
NEST // missed: the end of a statement is not where it is expected
}

#include "soundness/main.h"
