// s2s: --force -- -O3 -fopenmp
// run
// text x5: (const char *)(s->
// Arrays that members lead to: compared as the code runs, but only where the source follows them.
#include <stdio.h>
#include <stdlib.h>
typedef double row[40];
struct sim {
    int n, m;
    double *x, *y;
    row *grid;
};
static void outer(struct sim *s, int n)
{
    for (int j = 0; j < n; j++)  // remark: permuted loops
        for (int i = 0; i < n; i++)
            s->grid[i][j] += s->x[i] * s->y[j];
}
static void other(struct sim *s, row *a)
{
    for (int j = 0; j < s->n; j++)  // remark: permuted loops
        for (int i = 0; i < s->m; i++)
            s->grid[i][j] = s->grid[i][j] * 0.5 + a[i][j];
}
static void moved(struct sim *s, row *a, struct sim **all)
{
    for (int j = 0; j < s->n; j++) {
        for (int i = 0; i < s->m; i++)
            s->grid[i][j] += a[i][j];
        all[j]->grid = a;  // the rows that s leads to may be others now
    }
}
static void try(struct sim *s, row *a, int n, struct sim **all)
{
    outer(s, n);
    other(s, a);
    moved(s, a, all);
}
int main(void)
{
    double sum = 0, *memory = malloc(8000 * sizeof *memory);
    for (int k = 0; k < 8000; k++)
        memory[k] = (k * 37 % 101) / 16.0;
    for (int apart = 0; apart < 1700; apart += 83) {
        row *grid = (row *)(memory + 1700);
        struct sim other = { 3, 3, memory, memory, grid };
        struct sim one = { apart % 41, 11, memory + apart, memory + 2 * apart, grid };
        struct sim *all[64];
        for (int k = 0; k < 64; k++)
            all[k] = apart % 2 && k == 2 ? &one : &other;
        try(&one, (row *)(memory + 1700 + apart), 5, all);
    }
    outer(NULL, 0);
    for (int k = 0; k < 8000; k++)
        sum = sum * 0.999 + memory[k];
    printf("%.17g\n", sum);
    return 0;
}
