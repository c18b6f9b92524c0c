/* Triangles of an undirected graph (Chatarasi's dissertation, Algorithm 6): each vertex tests its
   pairs of neighbours. Arguments: GRAPH [print]. With -DPER_WEDGE, the result of each test is added,
   found or not. */
#define PROPERTIES long triangles;
#include "graph.h"

static long count(const struct graph *graph)
{
    const long n = graph->size;
    struct vertex **const vertices = graph->vertices;
    long total = 0;
#pragma omp parallel for
    for (long i = 0; i < n; i++) {
        struct vertex *v = vertices[i];
        for (long j = 0; j < v->out.size; j++) {
            const long u = v->out.edges[j].id;
            struct vertex *to_u = v->out.edges[j].to;
            if (u > v->id)
                for (long k = 0; k < v->out.size; k++) {
                    const long w = v->out.edges[k].id;
                    struct vertex *to_w = v->out.edges[k].to;
                    if (w > u) {
#ifdef PER_WEDGE
                        const long found = has_edge(&to_u->out, w);
#pragma omp atomic
                        v->triangles += found;
#pragma omp atomic
                        to_u->triangles += found;
#pragma omp atomic
                        to_w->triangles += found;
#else
                        if (has_edge(&to_u->out, w)) {
#pragma omp atomic
                            total++;
#pragma omp atomic
                            v->triangles++;
#pragma omp atomic
                            to_u->triangles++;
#pragma omp atomic
                            to_w->triangles++;
                        }
#endif
                    }
                }
        }
    }
#ifdef PER_WEDGE
    for (long i = 0; i < n; i++)
        total += vertices[i]->triangles;
    total /= 3;
#endif
    return total;
}

int main(int argc, char **argv)
{
    struct graph graph = read_graph(argv[1], 0);
    hooks_region_begin("kernel");
    const long total = count(&graph);
    hooks_region_end();
    printf("triangles %ld\n", total);
    if (argc > 2)
        for (long i = 0; i < graph.size; i++)
            printf("%ld %ld\n", i, graph.vertices[i]->triangles);
    free_graph(&graph);
    return 0;
}
