#include <stdio.h>
#define N 37
struct cell { double x, y; long hits; struct { int a, b; } in; };
static double a[N], b[N], unused[4], rows[N][5];
struct cell cells[N];
static int flags[N];
static double cube[N][3][2], *last;
long shifted[N], total[2];
static struct cell next_to(struct cell one) { one.hits++; return one; }
int main(void)
{
    struct { long a, rows; } other = {1, 2};
    for (int i = 0; i < N; i++)
        b[i] = i - other.a;
    for (int t = 0; t < 3; t++) {
#pragma omp parallel for
        for (long i = 0; i < N; i++) {
            a[i] += 2 * b[i];
            for (int j = 0; j < 5; j++)
                rows[i][j] += j + a[i];
            struct cell *c = &cells[i];
            c->x += a[i];
            (cells[i]).y = c->x;
            cells[i].in.a += i;
            cells[i] = next_to(cells[i]);
            shifted[(i + 1) % N] = i;
        }
#pragma omp parallel for
        for (int i = N - 1; i >= 0; i--)
            flags[i] ^= i;
#pragma omp parallel for
        for (int i = 0; i < N; i++) {
            double (*plane)[2] = cube[i];
            plane[i % 3][1] += cube[i][2][0] + 1;
        }
        total[t % 2] += t;
    }
    last = a;
    unused[1] = last[3];
    for (int i = 0; i < N; i++)
        printf("%g %g %g %ld %d %ld %d %g\n", a[i] + rows[i][4], cells[i].x, cells[i].y,
               cells[i].hits, cells[i].in.a, shifted[i], flags[i], cube[i][i % 3][1] + unused[1]);
    return 0;
}
