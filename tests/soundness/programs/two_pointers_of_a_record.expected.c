// Here they overlap, which the new code sees.


#include "soundness/numbers.h"
struct pair { double *u, *v; };
void sweep(int n, int m, int T, double *u_, double *v_)
{
    struct pair s = {u_ + m, u_};
    {
        /* s2s: permuted loops to (i, j), simd inside */
        if (/* sizes for which this is right */
            m >= 1 && n >= 2
            /* 's.u' and 's.v' do not overlap */
            && ((const char *)(s.u + n * (long)m)
                <= (const char *)(s.v + 2 * (long)m)
                || (const char *)(s.v + ((long)n + 1) * (long)m)
                   <= (const char *)(s.u + (long)m))) {
            for (int i = 1; i < n; i++) {
#pragma omp simd
                for (int j = 0; j < m; j++) {
                    s.u[i*m+j] = s.v[i*m+j+m] * 0.5;
                }
            }
        } else {
    for (int j = 0; j < m; j++)
        for (int i = 1; i < n; i++)
 s.u[i*m+j] = s.v[i*m+j+m] * 0.5;
        }
    }
}

#include "soundness/main.h"
