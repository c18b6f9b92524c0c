#include <stdio.h>
static int counter;
static int next(void) { return ++counter; }
DEFINITIONS
int main(void)
{
    int v[64], w[64], i, n = 8, s = 0;
    for (i = 0; i < 64; i++) v[i] = 3 * i, w[i] = 0;
    CALLS
    for (i = 0; i < 64; i++) printf("%d %d\n", v[i], w[i]);
    printf("%d %d %d\n", s, n, counter);
    return 0;
}
