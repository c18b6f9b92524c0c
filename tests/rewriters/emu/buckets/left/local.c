/* What is put is added to a variable of the loop. */
#include <stdio.h>
#include <stdlib.h>
struct vertex { long size, room, mark; struct vertex **to; long *weight; };
int main(void)
{
    long n = 37, m = 150;
    struct vertex **vs = malloc(n * sizeof(struct vertex *));
    for (long i = 0; i < n; i++)
        vs[i] = calloc(1, sizeof(struct vertex));
    long total = 0;
    for (long e = 0; e < m; e++) {
        struct vertex *u = vs[e * 7 % n];
        total += ++u->size * e - u->mark;
        u->mark += total % 3;
    }
    long sum = total;
#pragma omp parallel for reduction(+ : sum)
    for (long i = 0; i < n; i++)
        sum += vs[i]->mark * i;
    printf("%ld\n", sum);
    return 0;
}
