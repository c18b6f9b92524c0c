/* ../conductance.c for Emu: a thread for each vertex in each loop, spawned at nodelet 0, which reads
   the pointer to the vertex. With -DFUSED, one loop does all. Arguments: GRAPH [PARTS]. */
#define PROPERTIES long partition;
#include "graph.h"

#ifdef FUSED
static void visit(struct vertex *v, long id, long *inside, long *outside, long *cross)
{
    const long degree = v->out.size;
    if (v->partition == id) {
        long mine = 0;
        for (long k = 0; k < degree; k++)
            if (v->out.edges[k].to->partition != id)
                mine++;
        REMOTE_ADD(inside, degree);
        REMOTE_ADD(cross, mine);
    } else {
        REMOTE_ADD(outside, degree);
    }
}
#else
static void add_inside(struct vertex *v, long id, long *inside)
{
    if (v->partition == id)
        REMOTE_ADD(inside, v->out.size);
}

static void add_outside(struct vertex *v, long id, long *outside)
{
    if (v->partition != id)
        REMOTE_ADD(outside, v->out.size);
}

static void add_cross(struct vertex *v, long id, long *cross)
{
    long mine = 0;
    if (v->partition == id) {
        for (long k = 0; k < v->out.size; k++)
            if (v->out.edges[k].to->partition != id)
                mine++;
        REMOTE_ADD(cross, mine);
    }
}
#endif

static double conductance(struct vertex **vertices, long n, long id)
{
    long inside = 0, outside = 0, cross = 0;
#ifdef FUSED
    for (long i = 0; i < n; i++)
        cilk_spawn visit(vertices[i], id, &inside, &outside, &cross);
    cilk_sync;
#else
    for (long i = 0; i < n; i++)
        cilk_spawn add_inside(vertices[i], id, &inside);
    cilk_sync;
    for (long i = 0; i < n; i++)
        cilk_spawn add_outside(vertices[i], id, &outside);
    cilk_sync;
    for (long i = 0; i < n; i++)
        cilk_spawn add_cross(vertices[i], id, &cross);
    cilk_sync;
#endif
    printf("inside %ld, outside %ld, across %ld\n", inside, outside, cross);
    const long smaller = inside < outside ? inside : outside;
    return smaller ? (double)cross / smaller : 0.0;
}

int main(int argc, char **argv)
{
    struct graph graph = read_graph(argv[1], 0);
    const long parts = argc > 2 ? atol(argv[2]) : 1;
    for (long i = 0; i < graph.size; i++) {
        struct vertex *v = mw_arrayindex(graph.vertices, i, graph.size, sizeof(struct vertex));
        v->partition = i % parts;
    }
    hooks_region_begin("kernel");
    const double result = conductance(graph.vertices, graph.size, 0);
    hooks_region_end();
    printf("conductance %.6f\n", result);
    return 0;
}
