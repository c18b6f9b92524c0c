/* Connected components: each vertex takes the smallest label among its neighbours', until none
   changes. Arguments: GRAPH [print]. */
#define PROPERTIES long label, next;
#include "graph.h"

#pragma s2s graph vertices(graph.size, graph.vertices) \
    both(vertex.out.size, vertex.out.edges.to, vertex.out.edges.weight)

static long spread(const struct graph *graph)
{
    const long n = graph->size;
    struct vertex **const vertices = graph->vertices;
    long rounds = 0, changed = 1;
    for (long i = 0; i < n; i++)
        vertices[i]->label = vertices[i]->next = i;
    while (changed) {
        changed = 0;
#pragma omp parallel for
        for (long i = 0; i < n; i++) {
            struct vertex *v = vertices[i];
            for (long k = 0; k < v->out.size; k++) {
                const long label = v->out.edges[k].to->label;
                if (label < v->next)
                    v->next = label;
            }
        }
#pragma omp parallel for reduction(+ : changed)
        for (long i = 0; i < n; i++) {
            struct vertex *v = vertices[i];
            changed += v->label != v->next;
            v->label = v->next;
        }
        rounds++;
    }
    return rounds;
}

int main(int argc, char **argv)
{
    struct graph graph = read_graph(argv[1], 0);
    hooks_region_begin("kernel");
    const long rounds = spread(&graph);
    hooks_region_end();
    printf("rounds %ld\n", rounds);
    if (argc > 2)
        for (long i = 0; i < graph.size; i++)
            printf("%ld %ld\n", i, graph.vertices[i]->label);
    free_graph(&graph);
    return 0;
}
