#include "own.h"
#define MADE(name) int name(int x) { return x + 1; }
#define LOOP(i, n) for (int i = 0; i < n; i++)
#define TWO MADE(two) MADE(three)
static int declared(int);
struct pair { int a, b; } pairs[] = {{1, 2}, {3, 4}};
int plain(int n, double *a)
{
    struct local { int c; } here = {n};
    LOOP(i, n) { a[i] = a[i + here.c] * SCALE; }
#if 0
    a[0] = 1;
#endif
    return n;
}
MADE(one) TWO
int (*pointer(void))(int) { /* } */ return one; }
static int declared(int k) { return ({ int z = k; z + sizeof(int (*)(int)); }); }
int old(k) int k; { return k; }
int last(void) { return declared(plain(2, 0)); } int after;
