// s2s: --force -- -O2 -fopenmp
// stays
// not said: [race]

#include "soundness/numbers.h"
#define WAIT _Pragma("omp taskwait")
void sweep(int n, int m, int T, double *u_, double *v_)
{
    double (*u)[m] = (double (*)[m])u_; double (*v)[m] = (double (*)[m])v_;

#pragma omp parallel // missed: hide pragmas
#pragma omp single
    for (int t = 0; t < T; t++) {
        for (int i = 1; i < n - 1; i++) { // missed: hide pragmas
#pragma omp task 
            for (int j = 1; j < m - 1; j++)
                if (v[i][j] < 0.9) u[i][j] = 0.25 * (v[i-1][j] + v[i+1][j] + v[i][j-1] + v[i][j+1]);
        }
WAIT
        for (int i = 1; i < n - 1; i++) { // missed: hide pragmas
#pragma omp task 
            for (int j = 1; j < m - 1; j++)
                if (u[i][j] > 0.1) v[i][j] = u[i][j] + 0.01 * u[i-1][j];
        }
WAIT
    }
}

int main(void)
{
    static const int sizes[][3] = {
        {19, 13, 50}, {5, 4, 40}, {3, 3, 33}, {2, 2, 20}, {1, 1, 20}, {24, 3, 3}
    };
    int s;
    for (s = 0; s < 6; s++) { // missed: hide pragmas
        int n = sizes[s][0], m = sizes[s][1], T = sizes[s][2];
        size_t count = 4 * (size_t)(n + 2) * (m + 2);
        double *u_ = numbers(count, 1), *v_ = numbers(count, 2);
        sweep(n, m, T, u_, v_);
        show("u", u_, count * sizeof *u_);
        show("v", v_, count * sizeof *v_);
        free(u_);
        free(v_);
    }
    return 0;
}
