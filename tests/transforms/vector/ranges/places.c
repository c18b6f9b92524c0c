// s2s: --force
// run
/* What parts read in all iterations: an element is loaded before a part that has iterations and
   reads it in each of them, and nothing else is. */
#include <stdio.h>

static double a[400], b[400], c[400];

static void all(int n, int k)
{
    for (int i = 0; i < n; i++)
        a[i] = a[k] * 0.5 + b[i];
}

/* a[k] may not be there where no b[i] is negative. */
static void some(int n, int k)
{
    for (int i = 0; i < n; i++)
        a[i] = b[i] < 0 ? a[k] : c[i];
}

static void several(int n, int k)
{
    for (int i = 0; i < n; i++) {
        a[i] = b[i] + c[k];
        c[i] = a[k] - b[i];
    }
}

static void down(int n, int k)
{
    for (int i = n - 1; i >= 0; i--)
        a[i] = a[k] + b[i] * a[k];
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
    for (int i = 0; i < n; i++)
        a[i] = AT(k) + b[i];
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
