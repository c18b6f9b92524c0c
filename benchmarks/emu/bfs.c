/* Levels of a breadth-first search, one loop over the vertices for each level.
   Arguments: GRAPH [print]; the root is the first vertex with an outgoing edge. */
#define PROPERTIES long level, next;
#include "graph.h"

#pragma s2s graph vertices(graph.size, graph.vertices) \
    out(vertex.out.size, vertex.out.edges.to, vertex.out.edges.weight) \
    in(vertex.in.size, vertex.in.edges.to, vertex.in.edges.weight)

static long search(const struct graph *graph, long root)
{
    const long n = graph->size;
    struct vertex **const vertices = graph->vertices;
    long level = 0, reached = 1;
    for (long i = 0; i < n; i++)
        vertices[i]->level = vertices[i]->next = i == root ? 0 : FAR;
    for (; reached; level++) {
        reached = 0;
#pragma omp parallel for
        for (long i = 0; i < n; i++) {
            struct vertex *v = vertices[i];
            if (v->level == FAR)
                for (long k = 0; k < v->in.size; k++)
                    if (v->in.edges[k].to->level == level) {
                        v->next = level + 1;
                        break;
                    }
        }
#pragma omp parallel for reduction(+ : reached)
        for (long i = 0; i < n; i++) {
            struct vertex *v = vertices[i];
            reached += v->level != v->next;
            v->level = v->next;
        }
    }
    return level;
}

int main(int argc, char **argv)
{
    struct graph graph = read_graph(argv[1], 1);
    long root = 0;
    while (root < graph.size - 1 && graph.vertices[root]->out.size == 0)
        root++;
    hooks_region_begin("kernel");
    const long levels = search(&graph, root);
    hooks_region_end();
    printf("levels %ld\n", levels);
    if (argc > 2)
        for (long i = 0; i < graph.size; i++)
            printf("%ld %ld\n", i, graph.vertices[i]->level);
    free_graph(&graph);
    return 0;
}
