#include <stdio.h>
static int checked(int kind) {
    if (kind > 3) fprintf(stderr, "unknown kind %d\n", kind);
    return kind;
}
int f(int n) { return checked(n); }

