#include "soundness/numbers.h"

#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((b) >= (a) ? (b) : (a))
struct shape { int rows, columns; };
void sweep(int n, int m, int T, double *u_, double *v_)
{
    double (*u)[m] = (double (*)[m])u_; double (*v)[m] = (double (*)[m])v_;

    {
        /* s2s: permuted loops to (i, j), simd inside */
        if (/* sizes for which this is right */
            ((m >= 1 && T >= 31 && n >= 2) || (m >= 1 && T <= 30 && n >= 1))
            /* 'u_' and 'v_' do not overlap */
            && ((const char *)(u + n)
                <= (const char *)(v + (T <= 30 ? 0 : 1))
                || (const char *)(v + n)
                   <= (const char *)(u + (T <= 30 ? 0 : 1)))) {
            for (int i = 0; i < n; i++) {
                if (T <= 30 || i >= 1) {
#pragma omp simd
                    for (int j = 0; j < m; j++) {
                        if ((T >= 31 && i >= 1 && j <= 2)
                            || (T <= 30 && i >= j && j <= 2)
                            || (T >= 31 && n >= (long)m + 1 && i >= 1
                                && m >= (long)i + 1 && j >= 3)
                            || (T <= 30 && n >= (long)m + 1
                                && m >= (long)i + 1 && j >= 3 && i >= j)) {
                            u[i][j] += v[i][j] * 2.0;
                        }
                    }
                }
            }
        } else {
    for (int j = 0; j < m; j++)
        for (int i = T > 30 ? 1 : j; i < (j < 3 ? n : m < n ? m : 1); i++)
            u[i][j] += v[i][j] * 2.0;
        }
    }
}

#include "soundness/main.h"
