/* The loop asks how many edges a vertex has. */
#include <stdio.h>
#include <stdlib.h>
struct vertex { long size, room, mark; struct vertex **to; long *weight; };
static void add(struct vertex *u, struct vertex *v, long w)
{
    if (u->size == u->room) {
        u->room = u->room ? 2 * u->room : 2;
        u->to = realloc(u->to, u->room * sizeof *u->to);
        u->weight = realloc(u->weight, u->room * sizeof *u->weight);
    }
    u->to[u->size] = v;
    u->weight[u->size++] = w;
    u->mark = 3 * u->mark + w; /* the order matters */
}

int main(void)
{
    long n = 37, m = 150;
    struct vertex **vs = malloc(n * sizeof(struct vertex *));
    for (long i = 0; i < n; i++)
        vs[i] = calloc(1, sizeof(struct vertex));
    for (long e = 0; e < m; e++) {
        struct vertex *u = vs[e * 7 % n], *v = vs[e * e % n];
        const long before = u->size;
        if (before < 3)
            add(u, v, e % 10);
    }
    long sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (long i = 0; i < n; i++) {
        struct vertex *v = vs[i];
        for (long k = 0; k < v->size; k++)
            sum += v->weight[k] * (i + k) + v->to[k]->size;
    }
    printf("%ld\n", sum);
    for (long i = 0; i < n; i++)
        printf("%ld %ld\n", vs[i]->size, vs[i]->mark % 1000);
    return 0;
}
