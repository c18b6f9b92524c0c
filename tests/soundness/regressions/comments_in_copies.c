// s2s: --force -- -O2 -fopenmp
// run
/* Declarations that are copied before a nest have comments, and so have values that it sets. */
#include "soundness/numbers.h"
void sweep(int n, int m, int T, double *u_, double *v_)
{
    double(*u)[m] = (double(*)[m])u_;
    double(*v)[m] = (double(*)[m])v_;
    for (int t = 0; t < T; t++) { // remark: tiled 16x8 [popp]
        for (int i = 0; i < n; i++) {
            double // the rows
                (*w)[m] = (double(*)[m]) // of all
                u_;
            for (int j = 0; j < m; j++) w[i][j] = v[i][j];
        }
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                double half;
                half = 0.25 // a quarter
                       * 2;
                v[i][j] = half // of
                          * 0.5 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
            }
    }
}
#include "soundness/main.h"
