/* The conductance of a partition (Chatarasi's dissertation, Algorithm 4): edges that leave it,
   relative to those on its smaller side. Arguments: GRAPH [PARTS]; vertex i is in part i mod PARTS,
   and part 0 is measured (default: one part). */
#define PROPERTIES long partition;
#include "graph.h"

static double conductance(const struct graph *graph, long id)
{
    const long n = graph->size;
    struct vertex **const vertices = graph->vertices;
    long inside = 0, outside = 0, cross = 0;
#pragma omp parallel for reduction(+ : inside)
    for (long i = 0; i < n; i++) {
        struct vertex *v = vertices[i];
        if (v->partition == id)
            inside += v->out.size;
    }
#pragma omp parallel for reduction(+ : outside)
    for (long i = 0; i < n; i++) {
        struct vertex *v = vertices[i];
        if (v->partition != id)
            outside += v->out.size;
    }
#pragma omp parallel for reduction(+ : cross)
    for (long i = 0; i < n; i++) {
        struct vertex *v = vertices[i];
        if (v->partition == id)
            for (long k = 0; k < v->out.size; k++)
                if (v->out.edges[k].to->partition != id)
                    cross++;
    }
    printf("inside %ld, outside %ld, across %ld\n", inside, outside, cross);
    const long smaller = inside < outside ? inside : outside;
    return smaller ? (double)cross / smaller : 0.0;
}

int main(int argc, char **argv)
{
    struct graph graph = read_graph(argv[1], 0);
    long parts = argc > 2 ? atol(argv[2]) : 1;
    for (long i = 0; i < graph.size; i++)
        graph.vertices[i]->partition = i % parts;
    hooks_region_begin("kernel");
    const double result = conductance(&graph, 0);
    hooks_region_end();
    printf("conductance %.6f\n", result);
    free_graph(&graph);
    return 0;
}
