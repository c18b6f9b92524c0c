#include "soundness/numbers.h"

#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((b) >= (a) ? (b) : (a))
struct shape { int rows, columns; };
void sweep(int n, int m, int T, double *u_, double *v_)
{
    double (*u)[m] = (double (*)[m])u_; double (*v)[m] = (double (*)[m])v_;

    {
        /* s2s: un-skewed to the order in memory */
        if (n >= 2 && m >= 2) {
            for (int i = 1; i < n; i++) {
                double s2s_u_1 = u[i][0];
                double s2s_u_0;
                for (long s2s_column = 1; s2s_column < m; s2s_column++) {
                    {
                        const int d = (int)(i + s2s_column);
                        s2s_u_0 = u[i][d - i] =
                                0.5 * (u[i - 1][d - i] + s2s_u_1);
                    }
                    s2s_u_1 = s2s_u_0;
                }
            }
        } else {
    for (int d = 2; d < n + m - 1; d++)
        for (int i = MAX(1, d - m + 1); i <= MIN(n - 1, d - 1); i++)
            u[i][d - i] = 0.5 * (u[i - 1][d - i] + u[i][d - i - 1]);
        }
    }
}

#include "soundness/main.h"
