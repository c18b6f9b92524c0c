#include <stdio.h>
#include <stdlib.h>
struct vertex { long size, room, mark; struct vertex **to; long *weight; long *shared; };
static struct vertex **vs;
static long n = 23, all, *src, *dst;
static void add(struct vertex *u, struct vertex *v, long w)
{
    if (u->size == u->room) {
        u->room = 2 * u->room + 2;
        u->to = realloc(u->to, u->room * sizeof *u->to);
        u->weight = realloc(u->weight, u->room * sizeof *u->weight);
    }
    u->to[u->size] = v;
    u->weight[u->size++] = w;
}
static void mark(struct vertex *u, long w) { u->mark = (5 * u->mark + w) % 10007; }
static void swap(struct vertex *u)
{
    for (long k = 0; k + 1 < u->size; k += 2) {
        long w = u->weight[k];
        u->weight[k] = u->weight[k + 1];
        u->weight[k + 1] = w;
    }
}
static void reach(struct vertex *u) { if (u->size) u->to[0]->mark += u->mark % 5; }
static void count(struct vertex *u) { u->mark += all++; }
static long last(struct vertex *u) { return u->size ? u->weight[u->size - 1] : 0; }
static void spread(struct vertex *u, long w) { if (u->shared) u->shared[w % 4] += u->mark + w; }
