#include <stdio.h>
typedef struct { short a; double x, y[3]; } Record;
static int a[300], b[300];
static Record r[100];

void run(int *p0, int *end, int *q0, Record *r0, Record *rend, int n)
{
    int *const last = q0 + 2 + n;
    LOOPS
}

int main(void)
{
    for (int n = 0; n < 30; n += n < 5 ? 1 : 6) {
        for (int k = 0; k < 300; k++) a[k] = k * 7 % 31, b[k] = k % 11;
        for (int k = 0; k < 100; k++) r[k].a = (short)k, r[k].x = k % 5, r[k].y[k % 3] = k;
        run(a + 3, a + 3 + n, b + 20, r + 2, r + 2 + n, n);
        unsigned sum = 0;
        for (int k = 0; k < 300; k++) sum = sum * 31 + (unsigned)(a[k] * 3 + b[k]);
        for (int k = 0; k < 100; k++)
            sum = sum * 31 + (unsigned)(r[k].a + 10 * (int)r[k].x + (int)r[k].y[1]);
        printf("%u\n", sum);
    }
    return 0;
}
