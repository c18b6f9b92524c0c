/* Each edge goes to both ends; more records than a bucket has room for. */
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
    long n = 37, m = 9000;
    struct vertex **vs = malloc(n * sizeof(struct vertex *));
    for (long i = 0; i < n; i++)
        vs[i] = calloc(1, sizeof(struct vertex));
    for (long e = 0; e < m; e++) {
        long a = e * 7 % n, b = e * e % n;
        if (a == b)
            continue;
        struct vertex *u = vs[a], *v = vs[b];
        add(u, v, e % 10);
        a = b; /* says nothing about where u is */
        add(v, u, e % 7 + a - b);
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
