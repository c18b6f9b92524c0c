/* Vertices are named by an array of ends, in a function of its own. */
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

static struct vertex **vs;
static long n = 37, m = 150, *src, *dst;

static void build(void)
{
    for (long e = 0; e < m; e++)
        add(vs[src[e]], vs[dst[e]], src[e] + 2 * e);
}

int main(void)
{
    vs = malloc(n * sizeof(struct vertex *));
    for (long i = 0; i < n; i++)
        vs[i] = calloc(1, sizeof(struct vertex));
    src = malloc(m * sizeof(long));
    dst = malloc(m * sizeof(long));
    for (long e = 0; e < m; e++) {
        src[e] = e * 5 % n;
        dst[e] = e * e % n;
    }
    build();
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
