/* What parts read in all iterations: an element is loaded before a part that has iterations and
   reads it in each of them, and nothing else is. */
#include <stdio.h>

static double a[400], b[400], c[400];

static void all(int n, int k)
{
    {
        /* s2s: split the loop into 3 parts */
        if (n >= 1) {
            {
                long s2s_i_end = n;
                if (s2s_i_end > k) s2s_i_end = k;
                if (0 < s2s_i_end) {
                    const double s2s_a_0 = a[k];
#pragma GCC ivdep
                    for (int i = 0; i < s2s_i_end; i++) {
                        a[i] = s2s_a_0 * 0.5 + b[i];
                    }
                }
            }
            if (n >= (long)k + 1 && k >= 0) {
                const int i = k;
                a[i] = a[k] * 0.5 + b[i];
            }
            {
                long s2s_i_begin = 0;
                if (s2s_i_begin < (long)k + 1) s2s_i_begin = (long)k + 1;
                if (s2s_i_begin < n) {
                    const double s2s_a_0 = a[k];
#pragma GCC ivdep
                    for (int i = (int)s2s_i_begin; i < n; i++) {
                        a[i] = s2s_a_0 * 0.5 + b[i];
                    }
                }
            }
        } else {
    for (int i = 0; i < n; i++)
        a[i] = a[k] * 0.5 + b[i];
        }
    }
}

/* a[k] may not be there where no b[i] is negative. */
static void some(int n, int k)
{
    {
        /* s2s: split the loop into 3 parts */
        if (n >= 1) {
            {
                long s2s_i_end = n;
                if (s2s_i_end > k) s2s_i_end = k;
#pragma GCC ivdep
                for (int i = 0; i < s2s_i_end; i++) {
                    a[i] = b[i] < 0 ? a[k] : c[i];
                }
            }
            if (n >= (long)k + 1 && k >= 0) {
                const int i = k;
                a[i] = b[i] < 0 ? a[k] : c[i];
            }
            {
                long s2s_i_begin = 0;
                if (s2s_i_begin < (long)k + 1) s2s_i_begin = (long)k + 1;
#pragma GCC ivdep
                for (int i = (int)s2s_i_begin; i < n; i++) {
                    a[i] = b[i] < 0 ? a[k] : c[i];
                }
            }
        } else {
    for (int i = 0; i < n; i++)
        a[i] = b[i] < 0 ? a[k] : c[i];
        }
    }
}

static void several(int n, int k)
{
    {
        /* s2s: split the loop into 3 parts */
        if (n >= 1) {
            {
                long s2s_i_end = n;
                if (s2s_i_end > k) s2s_i_end = k;
                if (0 < s2s_i_end) {
                    const double s2s_c_0 = c[k];
                    const double s2s_a_0 = a[k];
#pragma GCC ivdep
                    for (int i = 0; i < s2s_i_end; i++) {
                        a[i] = b[i] + s2s_c_0;
                        c[i] = s2s_a_0 - b[i];
                    }
                }
            }
            if (n >= (long)k + 1 && k >= 0) {
                {
                    const int i = k;
                    a[i] = b[i] + c[k];
                }
                {
                    const int i = k;
                    c[i] = a[k] - b[i];
                }
            }
            {
                long s2s_i_begin = 0;
                if (s2s_i_begin < (long)k + 1) s2s_i_begin = (long)k + 1;
                if (s2s_i_begin < n) {
                    const double s2s_c_0 = c[k];
                    const double s2s_a_0 = a[k];
#pragma GCC ivdep
                    for (int i = (int)s2s_i_begin; i < n; i++) {
                        a[i] = b[i] + s2s_c_0;
                        c[i] = s2s_a_0 - b[i];
                    }
                }
            }
        } else {
    for (int i = 0; i < n; i++) {
        a[i] = b[i] + c[k];
        c[i] = a[k] - b[i];
    }
        }
    }
}

static void down(int n, int k)
{
    {
        /* s2s: split the loop into 3 parts */
        if (n >= 1) {
            {
                long s2s_i_end = 0;
                if (s2s_i_end > -(long)k - 1) s2s_i_end = -(long)k - 1;
                if (1L - n <= s2s_i_end) {
                    const double s2s_a_0 = a[k];
#pragma GCC ivdep
                    for (long s2s_i = 1L - n; s2s_i <= s2s_i_end; s2s_i++) {
                        const int i = (int)(-s2s_i);
                        a[i] = s2s_a_0 + b[i] * s2s_a_0;
                    }
                }
            }
            if (n >= (long)k + 1 && k >= 0) {
                const int i = k;
                a[i] = a[k] + b[i] * a[k];
            }
            {
                long s2s_i_begin = 1L - n;
                if (s2s_i_begin < 1L - k) s2s_i_begin = 1L - k;
                if (s2s_i_begin <= 0) {
                    const double s2s_a_0 = a[k];
#pragma GCC ivdep
                    for (long s2s_i = s2s_i_begin; s2s_i <= 0; s2s_i++) {
                        const int i = (int)(-s2s_i);
                        a[i] = s2s_a_0 + b[i] * s2s_a_0;
                    }
                }
            }
        } else {
    for (int i = n - 1; i >= 0; i--)
        a[i] = a[k] + b[i] * a[k];
        }
    }
}

/* The local 'k' is another one. */
static void shadowed(int n, int m)
{
    for (int i = 0; i < n; i++) {
        const int k = m / 2;
        a[i] = a[k] + b[i];
    }
}

#define AT(i) a[i]
/* A macro hides the places. */
static void hidden(int n, int k)
{
    {
        /* s2s: split the loop into 3 parts */
        if (n >= 1) {
            {
                long s2s_i_end = n;
                if (s2s_i_end > k) s2s_i_end = k;
#pragma GCC ivdep
                for (int i = 0; i < s2s_i_end; i++) {
                    a[i] = AT(k) + b[i];
                }
            }
            if (n >= (long)k + 1 && k >= 0) {
                const int i = k;
                a[i] = AT(k) + b[i];
            }
            {
                long s2s_i_begin = 0;
                if (s2s_i_begin < (long)k + 1) s2s_i_begin = (long)k + 1;
#pragma GCC ivdep
                for (int i = (int)s2s_i_begin; i < n; i++) {
                    a[i] = AT(k) + b[i];
                }
            }
        } else {
    for (int i = 0; i < n; i++)
        a[i] = AT(k) + b[i];
        }
    }
}

static void show(void)
{
    double sum = 0;
    for (int i = 0; i < 400; i++)
        sum = sum * 0.75 + a[i] - c[i];
    printf("%.17g\n", sum);
}

int main(void)
{
    static const int cases[][2] = {
        {100, 40}, {100, 0}, {100, 99}, {100, 200}, {70, 69}, {64, 63}, {1, 0}, {399, 1}
    };
    for (int s = 0; s < 8; s++) {
        const int n = cases[s][0], k = cases[s][1];
        for (int i = 0; i < 400; i++) {
            a[i] = i * 0.5;
            b[i] = i % 7 - 2.0;
            c[i] = 1.0 / (i + 1);
        }
        all(n, k);
        show();
        some(n, k);
        show();
        several(n, k);
        show();
        down(n, k);
        show();
        shadowed(n, k);
        show();
        hidden(n, k);
        show();
    }
    return 0;
}
