/* Shortest paths from a vertex by Bellman and Ford with an early end (Chatarasi's dissertation,
   Algorithm 5): each vertex pulls along its incoming edges. Arguments: GRAPH [print]; the source is
   the first vertex with an outgoing edge. */
#define PROPERTIES long distance, next;
#include "graph.h"

#pragma s2s graph vertices(graph.size, graph.vertices) \
    out(vertex.out.size, vertex.out.edges.to, vertex.out.edges.weight) \
    in(vertex.in.size, vertex.in.edges.to, vertex.in.edges.weight)

static long relax(const struct graph *graph, long source)
{
    const long n = graph->size;
    struct vertex **const vertices = graph->vertices;
    long rounds = 0;
    for (long i = 0; i < n; i++) {
        vertices[i]->distance = i == source ? 0 : FAR;
        vertices[i]->next = i == source ? 0 : FAR;
    }
    for (long t = 0; t < n - 1; t++) {
        int modified = 0;
#pragma omp parallel for
        for (long i = 0; i < n; i++) {
            struct vertex *v = vertices[i];
            for (long k = 0; k < v->in.size; k++) {
                const long distance = v->in.edges[k].to->distance;
                if (distance != FAR) { /* or else the sum is no distance */
                    const long length = distance + v->in.edges[k].weight;
                    if (length < v->next)
                        v->next = length;
                }
            }
        }
#pragma omp parallel for reduction(| : modified)
        for (long i = 0; i < n; i++) {
            struct vertex *v = vertices[i];
            if (v->distance != v->next) {
                modified |= 1;
                v->distance = v->next;
            }
        }
        rounds++;
        if (!modified)
            break;
    }
    return rounds;
}

int main(int argc, char **argv)
{
    struct graph graph = read_graph(argv[1], 1);
    long source = 0;
    while (source < graph.size - 1 && graph.vertices[source]->out.size == 0)
        source++;
    hooks_region_begin("kernel");
    const long rounds = relax(&graph, source);
    hooks_region_end();
    printf("rounds %ld\n", rounds);
    if (argc > 2)
        for (long i = 0; i < graph.size; i++)
            printf("%ld %ld\n", i, graph.vertices[i]->distance);
    free_graph(&graph);
    return 0;
}
