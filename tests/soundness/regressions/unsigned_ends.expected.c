/* Ends below zero: a counter without a sign took them for the largest numbers, and never ended. */
#include <stddef.h>
#include "soundness/numbers.h"

static void turned(double *restrict o, const double *a, size_t n, size_t m, size_t s)
{

    {
        /* s2s: iterations of 'j' side by side, parallel outside, split at the edges */
        if ((long)n >= 1 && (long)m >= 1 && (long)m >= (long)s) {
#pragma omp parallel for
            for (long s2s_i_line = 0; s2s_i_line <= (long)n - 1; s2s_i_line++) {
                for (long s2s_j_strip = 0; s2s_j_strip <= ((long)m + 255) / 256 - 1;
                     s2s_j_strip++) {
                    {
                        const unsigned long i = (unsigned long)s2s_i_line;
                        long s2s_j_end = 256 * s2s_j_strip + 255;
                        if (s2s_j_end > (long)m - 1) s2s_j_end = (long)m - 1;
                        if (256 * s2s_j_strip <= s2s_j_end) {
                            const unsigned long s2s_j_last = (unsigned long)s2s_j_end;
#pragma omp simd
                            for (unsigned long j = (unsigned long)(256 * s2s_j_strip);
                                 j <= s2s_j_last; j++) {
                                o[i * m + j] = 0;
                            }
                        }
                    }
                    {
                        const unsigned long i = (unsigned long)s2s_i_line;
                        for (unsigned long k = 0; k <= 1; k++) {
                            for (unsigned long l = 0; l <= 2; l++) {
                                {
                                    long s2s_j_end = 256 * s2s_j_strip + 255;
                                    if (s2s_j_end > (long)m - (long)s - 1)
                                        s2s_j_end = (long)m - (long)s - 1;
                                    if (256 * s2s_j_strip <= s2s_j_end) {
                                        const unsigned long s2s_j_last = (unsigned long)s2s_j_end;
#pragma omp simd
                                        for (unsigned long j = (unsigned long)(
                                                                   256 * s2s_j_strip);
                                             j <= s2s_j_last; j++) {
                                            o[i * m + j] += a[i * m + (j + s)];
                                        }
                                    }
                                }
                                {
                                    long s2s_j_begin = 256 * s2s_j_strip;
                                    long s2s_j_end = 256 * s2s_j_strip + 255;
                                    if (s2s_j_begin < (long)m - (long)s)
                                        s2s_j_begin = (long)m - (long)s;
                                    if (s2s_j_end > (long)m - 1) s2s_j_end = (long)m - 1;
                                    if (s2s_j_begin <= s2s_j_end) {
                                        const unsigned long s2s_j_last = (unsigned long)s2s_j_end;
#pragma omp simd
                                        for (unsigned long j = (unsigned long)s2s_j_begin;
                                             j <= s2s_j_last; j++) {
                                            o[i * m + j] +=
                                                    a[i * m + (j + s < m ? j + s : j + s - m)];
                                        }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        } else {
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < m; j++) {
            double q = 0;
            for (size_t k = 0; k < 2; k++)
                for (size_t l = 0; l < 3; l++) q += a[i * m + (j + s < m ? j + s : j + s - m)];
            o[i * m + j] = q;
        }
        }
    }
}

int main(void)
{
    double *in = numbers(4000, 1), *out = numbers(4000, 2);
    for (size_t m = 1; m < 60; m += 7)
        for (size_t s = 0; s <= m; s++) {
            turned(out, in, 9, m, s);
            show("turned", out, 4000 * sizeof *out);
        }
    return 0;
}
