#include "soundness/numbers.h"

#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((b) >= (a) ? (b) : (a))
struct shape { int rows, columns; };
void sweep(int n, int m, int T, double *u_, double *v_)
{
    double (*u)[m] = (double (*)[m])u_; double (*v)[m] = (double (*)[m])v_;

    struct shape s = {n, m};
    {
        /* s2s: permuted loops to (i, j), simd inside */
        if (/* sizes for which this is right */
            ((s.rows >= 1 && s.columns >= 1 && T >= -2 && n >= 1
              && (long)T + n >= 1 && m >= (long)T + n)
             || (s.rows >= 1 && s.columns >= 1 && T >= -2 && n >= 1
                 && (long)T + n >= (long)m + 1 && m >= s.columns)
             || (s.rows >= 1 && T >= -2 && n >= 1
                 && (long)T + n >= (long)m + 1 && s.columns >= (long)m + 1
                 && m >= s.rows))
            /* 'u_' and 'v_' do not overlap */
            && ((const char *)(u
                               + (s.columns >= (long)s.rows + 1
                                  && n >= (long)s.rows + 3 && m >= s.rows
                                  ? (long)s.rows + 2
                                  : (s.rows >= s.columns
                                     && n >= (long)s.columns + 3
                                     && m >= s.columns
                                     ? (long)s.columns + 2 : n)))
                <= (const char *)(v
                                  + ((T >= 0 && m >= (long)T + n)
                                     || (T >= 0
                                         && (long)T + n >= (long)m + 1
                                         && m >= s.columns)
                                     || (T >= 0
                                         && (long)T + n >= (long)m + 1
                                         && s.columns >= (long)m + 1
                                         && m >= s.rows) ? 0 : -(long)T))
                || (const char *)(v
                                  + (s.columns >= (long)s.rows + 1
                                     && n >= (long)s.rows + 3
                                     && m >= s.rows ? (long)s.rows + 2
                                     : (s.rows >= s.columns
                                        && n >= (long)s.columns + 3
                                        && m >= s.columns
                                        ? (long)s.columns + 2 : n)))
                   <= (const char *)(
                          u
                          + ((T >= 0 && m >= (long)T + n)
                             || (T >= 0 && (long)T + n >= (long)m + 1
                                 && m >= s.columns)
                             || (T >= 0 && (long)T + n >= (long)m + 1
                                 && s.columns >= (long)m + 1
                                 && m >= s.rows) ? 0 : -(long)T)))) {
            long s2s_i_begin = 0;
            long s2s_i_end = (long)s.rows + 1;
            if (s2s_i_begin < -(long)T) s2s_i_begin = -(long)T;
            if (s2s_i_end > (long)s.columns + 1)
                s2s_i_end = (long)s.columns + 1;
            if (s2s_i_end > n - 1) s2s_i_end = n - 1;
            for (int i = (int)s2s_i_begin; i <= s2s_i_end; i++) {
                long s2s_j_begin = 0;
                long s2s_j_end = s.rows - 1;
                if (s2s_j_begin < i - 2) s2s_j_begin = i - 2;
                if (s2s_j_end > s.columns - 1) s2s_j_end = s.columns - 1;
                if (s2s_j_end > (long)T + i) s2s_j_end = (long)T + i;
#pragma omp simd
                for (int j = (int)s2s_j_begin; j <= s2s_j_end; j++) {
                    u[i][j] += v[i][j] * 2.0;
                }
            }
        } else {
    for (int j = 0; j < MIN(s.rows, s.columns); j++)
        for (int i = MAX(0, j - T); i <= MIN(n - 1, j + 2); i++)
            u[i][j] += v[i][j] * 2.0;
        }
    }
}

#include "soundness/main.h"
