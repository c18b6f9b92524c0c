/* PageRank by ten steps of the power method, each vertex pulling along its incoming edges.
   Arguments: GRAPH [print]. */
#define PROPERTIES double rank, next;
#include "graph.h"

#pragma s2s graph vertices(graph.size, graph.vertices) \
    out(vertex.out.size, vertex.out.edges.to, vertex.out.edges.weight) \
    in(vertex.in.size, vertex.in.edges.to, vertex.in.edges.weight)

#define STEPS 10
#define DAMPING 0.85

static void step(const struct graph *graph)
{
    const long n = graph->size;
    struct vertex **const vertices = graph->vertices;
    double lost = 0;
    for (long i = 0; i < n; i++)
        if (vertices[i]->out.size == 0)
            lost += vertices[i]->rank;
#pragma omp parallel for
    for (long i = 0; i < n; i++) {
        struct vertex *v = vertices[i];
        double sum = 0;
        for (long k = 0; k < v->in.size; k++) {
            const struct vertex *u = v->in.edges[k].to;
            sum += u->rank / u->out.size;
        }
        v->next = (1 - DAMPING) / n + DAMPING * (sum + lost / n);
    }
#pragma omp parallel for
    for (long i = 0; i < n; i++) {
        struct vertex *v = vertices[i];
        v->rank = v->next;
    }
}

int main(int argc, char **argv)
{
    struct graph graph = read_graph(argv[1], 1);
    double sum = 0;
    for (long i = 0; i < graph.size; i++)
        graph.vertices[i]->rank = 1.0 / graph.size;
    hooks_region_begin("kernel");
    for (int t = 0; t < STEPS; t++)
        step(&graph);
    hooks_region_end();
    for (long i = 0; i < graph.size; i++)
        sum += graph.vertices[i]->rank;
    printf("sum %.12f\n", sum);
    if (argc > 2)
        for (long i = 0; i < graph.size; i++)
            printf("%ld %.17g\n", i, graph.vertices[i]->rank);
    free_graph(&graph);
    return 0;
}
