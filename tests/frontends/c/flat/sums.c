// s2s: --parallel --force --passes=popp,pipeline -- -fopenmp
// run
/* Rows as long as a sum: tables with one more column than letters, grids with a halo. */
#include "soundness/numbers.h"

#define D(i, j) d[(i) * (n + 1) + (j)]
#define AT(i, j) ((i) + (n + 2) * (j))

static int distance(const char *x, const char *y, int m, int n, int *restrict d)
{
    for (int i = 0; i <= m; i++) D(i, 0) = i;
    for (int j = 0; j <= n; j++) D(0, j) = j;
    // remark: pipelined [pipeline]
    for (int i = 1; i <= m; i++)
        for (int j = 1; j <= n; j++) {
            int best = D(i - 1, j - 1) + (x[i - 1] != y[j - 1]);
            if (D(i - 1, j) + 1 < best) best = D(i - 1, j) + 1;
            if (D(i, j - 1) + 1 < best) best = D(i, j - 1) + 1;
            D(i, j) = best;
        }
    return D(m, n);
}

static void relax(int n, int steps, double *restrict u, double *restrict v)
{
    // remark: fused, skewed, tiled 16x8 and pipelined 2 loops [popp]
    for (int t = 0; t < steps; t++) {
        for (int j = 1; j <= n; j++)
            for (int i = 1; i <= n; i++)
                v[AT(i, j)] = (u[AT(i - 1, j)] + u[AT(i + 1, j)] + u[AT(i, j - 1)] + u[AT(i, j + 1)]) / 4;
        for (int j = 1; j <= n; j++)
            for (int i = 1; i <= n; i++)
                u[AT(i, j)] = v[AT(i, j)];
    }
}

int main(void)
{
    enum { N = 43 };
    double *a = numbers((2 * N) * (2 * N), 1), *b = numbers((2 * N) * (2 * N), 2);
    int *d = calloc((N + 1) * (N + 1), sizeof *d);
    printf("%d\n", distance((char *)a, (char *)b, N - 2, N, d));
    printf("%d\n", distance((char *)a, (char *)b, 1, 1, d));
    show("d", d, (N + 1) * (N + 1) * sizeof *d);
    relax(N, 9, a, b);
    relax(0, 3, a, b);
    relax(1, 3, a, b);
    show("a", a, (N + 2) * (N + 2) * sizeof *a);
    free(a), free(b), free(d);
    return 0;
}
