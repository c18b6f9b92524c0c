// s2s: --force --parallel -- -O2 -fopenmp
// stays

#include <stdio.h>
#define EACH(v, n) for (v = 0; v < (n); v++)
#define AND_COUNT(what) what; count++
#define TWICE(what) what; what
static double u[300], v[300], w[300 * 300];
static int count;
static volatile int five = 5;
static void sums(int n)
{
    int i, j;
    EACH(i, n) EACH(j, n) AND_COUNT(u[j] += w[i * n + j] * v[i]); // missed: a macro expands to several statements
    EACH(i, n) EACH(j, n) if (i >= j) AND_COUNT(u[j] += w[i * n + j]); // missed: a macro expands to several statements
}
static void ends(int n)
{
    int i = 0, j;
    EACH(j, n) TWICE(u[i] += v[j] * w[j]); // missed: a macro expands to several statements
}

int main(void)
{
    for (int i = 0; i < 300; i++) v[i] = i % (five + 2);
    for (int i = 0; i < 300 * 300; i++) w[i] = i % five;
    sums(250);
    ends(200);
    double sum = count;
    for (int i = 0; i < 300; i++) sum += u[i] * (i % 3);
    printf("%d %.0f\n", count, sum);
    return 0;
}
