#include "soundness/numbers.h"
void sweep(int n, int m, int T, double *u_, double *v_)
{
    {
        /* s2s: permuted loops to (i, j), simd inside */
        if (m >= 1 && n >= 2) {
            for (int i = 1; i < n; i++) {
#pragma omp simd
                for (int j = 0; j < m; j++) {
                    u_[i*m+j] = u_[i*m+j-m] + sizeof(R"(a
   b)");
                }
            }
        } else {
    for (int j = 0; j < m; j++)
        for (int i = 1; i < n; i++)
 u_[i*m+j] = u_[i*m+j-m] + sizeof(R"(a
   b)");
        }
    }
}

#include "soundness/main.h"
