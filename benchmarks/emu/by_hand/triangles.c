/* ../triangles.c for Emu: a thread for each vertex. -DREMOTE adds without going there. As printed
   in the dissertation, counters are added to when a triangle is found; with -DPER_WEDGE, the result
   of each test is added to those of the three vertices, and with -DPER_WEDGE=4 to the total, too.
   Arguments: GRAPH [print]. */
#define PROPERTIES long triangles;
#include "graph.h"

#ifdef REMOTE
#define ADD(counter, value) REMOTE_ADD(counter, value)
#else
#define ADD(counter, value) ATOMIC_ADDMS(counter, value)
#endif

static void test_pairs(struct vertex *v, long *total)
{
    const long id = v->id, degree = v->out.size;
    const struct edge *edges = v->out.edges;
    long mine = 0;
    for (long j = 0; j < degree; j++) {
        const long u = edges[j].id;
        struct vertex *to_u = edges[j].to;
        if (u > id)
            for (long k = 0; k < degree; k++) {
                const long w = edges[k].id;
                if (w > u) {
                    struct vertex *to_w = edges[k].to;
                    const long found = has_edge(&to_u->out, w);
#ifdef PER_WEDGE
#if PER_WEDGE == 4
                    ADD(total, found);
#else
                    mine += found;
#endif
                    ADD(&v->triangles, found);
                    ADD(&to_u->triangles, found);
                    ADD(&to_w->triangles, found);
#else
                    if (found) {
                        ADD(total, 1);
                        ADD(&v->triangles, 1);
                        ADD(&to_u->triangles, 1);
                        ADD(&to_w->triangles, 1);
                    }
#endif
                }
            }
    }
    if (mine)
        REMOTE_ADD(total, mine);
}

static long count(struct vertex **vertices, long n)
{
    long total = 0;
    for (long i = 0; i < n; i++)
        cilk_spawn test_pairs(vertices[i], &total);
    cilk_sync;
    return total;
}

int main(int argc, char **argv)
{
    struct graph graph = read_graph(argv[1], 0);
    for (long i = 0; i < graph.size; i++) {
        struct vertex *v =
            mw_arrayindex(graph.vertices, i, graph.size, sizeof(struct vertex));
        v->triangles = 0;
    }
    hooks_region_begin("kernel");
    const long total = count(graph.vertices, graph.size);
    hooks_region_end();
    printf("triangles %ld\n", total);
    if (argc > 2)
        for (long i = 0; i < graph.size; i++)
            printf("%ld %ld\n", i, graph.vertices[i]->triangles);
    return 0;
}
