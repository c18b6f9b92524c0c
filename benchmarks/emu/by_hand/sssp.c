/* ../sssp.c for Emu: a thread for each vertex in each loop. -DPUSH flips the edges, so that vertices
   with a known distance offer it along their outgoing edges by atomics; -DREMOTE besides makes them
   remote ones. Arguments: GRAPH [print]. */
#define PROPERTIES long distance, next;
#include "graph.h"

#ifdef PUSH
static void offer(struct vertex *v)
{
    const long distance = v->distance;
    if (distance == FAR)
        return;
    for (long k = 0; k < v->out.size; k++) {
        const struct edge *edge = &v->out.edges[k];
        const long length = distance + edge->weight;
#ifdef REMOTE
        REMOTE_MIN(&edge->to->next, length);
#else
        ATOMIC_MINMS(&edge->to->next, length);
#endif
    }
}
#else
static void pull(struct vertex *v)
{
    long best = v->next;
    for (long k = 0; k < v->in.size; k++) {
        const struct edge *edge = &v->in.edges[k];
        const long weight = edge->weight;
        const long length = edge->to->distance + weight;
        best = length < best ? length : best;
    }
    v->next = best;
}
#endif

static void settle(struct vertex *v, long *modified)
{
    const long next = v->next;
    if (v->distance != next) {
        *modified = 1;
        v->distance = next;
    }
}

static long relax(struct vertex **vertices, long n, long source)
{
    long rounds = 0, modified = 1;
    for (long i = 0; i < n; i++) {
        struct vertex *v = mw_arrayindex(vertices, i, n, sizeof(struct vertex));
        v->distance = i == source ? 0 : FAR;
        v->next = i == source ? 0 : FAR;
    }
    for (long t = 0; t < n - 1 && modified; t++) {
        modified = 0;
#ifdef PUSH
        for (long i = 0; i < n; i++)
            cilk_spawn offer(vertices[i]);
#else
        for (long i = 0; i < n; i++)
            cilk_spawn pull(vertices[i]);
#endif
        cilk_sync;
        for (long i = 0; i < n; i++)
            cilk_spawn settle(vertices[i], &modified);
        cilk_sync;
        rounds++;
    }
    return rounds;
}

int main(int argc, char **argv)
{
    struct graph graph = read_graph(argv[1], 1);
    struct vertex **vertices = graph.vertices;
    long source = 0;
    while (source < graph.size - 1 && vertices[source]->out.size == 0)
        source++;
    hooks_region_begin("kernel");
    const long rounds = relax(vertices, graph.size, source);
    hooks_region_end();
    printf("rounds %ld\n", rounds);
    if (argc > 2)
        for (long i = 0; i < graph.size; i++)
            printf("%ld %ld\n", i, vertices[i]->distance);
    return 0;
}
