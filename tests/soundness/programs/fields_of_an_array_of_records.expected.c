#include "soundness/numbers.h"
struct pair { double a, b; };
void sweep(int n, int m, int T, double *u_, double *v_)
{
    struct pair *p = (struct pair *)u_;
    {
        /* s2s: permuted loops to (i, j), simd inside */
        if (m >= 1 && n >= 2) {
            for (int i = 1; i < n; i++) {
#pragma omp simd
                for (int j = 0; j < m; j++) {
                    p[i*m+j].a = p[i*m+j-m].a * 0.5 + p[i*m+j].b;
                }
            }
        } else {
    for (int j = 0; j < m; j++)
        for (int i = 1; i < n; i++)
 p[i*m+j].a = p[i*m+j-m].a * 0.5 + p[i*m+j].b;
        }
    }
}

#include "soundness/main.h"
