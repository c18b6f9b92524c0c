/* The graph of ../graph.h on Emu: vertices in blocks, a striped array of pointers to them, and
   each vertex's edges on its nodelet. A thread for each end of an edge inserts it: from nodelet 0
   to the edge's slot in the striped list, to the vertex, and back. */
#include <cilk.h>
#include <emu_c_utils/hooks.h>
#include <memoryweb.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef cilk_spawn_at /* tool chains up to 18.x */
#define cilk_spawn_at(where) cilk_spawn
#endif

#define FAR (1l << 60)

struct edge {
    struct vertex *to;
    long id;
    long weight;
};

struct list {
    long size, room;
    struct edge *edges;
};

struct vertex {
    long id;
    long lock;
    struct list out, in;
    PROPERTIES
};

struct graph {
    long size;
    struct vertex **vertices;
};

static long place_of(const struct list *list, long id)
{
    const struct edge *edges = list->edges;
    long low = 0, high = list->size;
    while (low < high) {
        long middle = (low + high) / 2;
        if (edges[middle].id < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static int has_edge(const struct list *list, long id)
{
    long place = place_of(list, id);
    return place < list->size && list->edges[place].id == id;
}

static void insert(struct list *list, struct vertex *to, long id, long weight)
{
    long place = place_of(list, id);
    if (place < list->size && list->edges[place].id == id) {
        if (weight < list->edges[place].weight)
            list->edges[place].weight = weight;
        return;
    }
    if (list->size == list->room) {
        struct edge *old = list->edges;
        list->room = list->room ? 2 * list->room : 4;
        struct edge *edges = mw_localmalloc(list->room * sizeof(struct edge), list);
        for (long k = 0; k < list->size; k++)
            edges[k] = old[k];
        list->edges = edges;
        if (old)
            mw_localfree(old);
    }
    struct edge *edges = list->edges;
    for (long k = list->size++; k > place; k--)
        edges[k] = edges[k - 1];
    edges[place].to = to;
    edges[place].id = id;
    edges[place].weight = weight;
}

/* Edges as they stand in the file, striped. */
struct raw {
    long *source, *target, *weight;
};

/* One end of edge e: the target joins the source's list, or the other way round. */
static void insert_end(struct raw raw, struct vertex **vertices, long n, long e,
                       int at_target, int directed)
{
    const long source = raw.source[e], target = raw.target[e], weight = raw.weight[e];
    if (source == target)
        return;
    const long here = at_target ? target : source, there = at_target ? source : target;
    struct vertex *to = mw_arrayindex(vertices, there, n, sizeof(struct vertex));
    struct vertex *v = vertices[here];
    while (ATOMIC_CAS(&v->lock, 1, 0))
        RESCHEDULE();
    insert(at_target && directed ? &v->in : &v->out, to, there, weight);
    v->lock = 0;
}

static struct graph read_graph(const char *path, int directed)
{
    long size, count;
    FILE *file = fopen(path, "r");
    if (!file || fscanf(file, "%ld %ld", &size, &count) != 2) {
        fprintf(stderr, "%s: no graph\n", path);
        exit(1);
    }
    struct graph graph = {size, mw_malloc2d(size, sizeof(struct vertex))};
    struct vertex **vertices = graph.vertices;
    const long n = size, edges = count;
    for (long i = 0; i < n; i++) {
        struct vertex *v = mw_arrayindex(vertices, i, n, sizeof(struct vertex));
        v->id = i;
        v->lock = 0;
        v->out.size = v->out.room = v->in.size = v->in.room = 0;
        v->out.edges = v->in.edges = NULL;
    }
    struct raw raw = {mw_malloc1dlong(edges), mw_malloc1dlong(edges), mw_malloc1dlong(edges)};
    for (long e = 0; e < edges; e++) {
        long source, target, weight;
        if (fscanf(file, "%ld %ld %ld", &source, &target, &weight) != 3) {
            fprintf(stderr, "%s: an edge is missing\n", path);
            exit(1);
        }
        raw.source[e] = source;
        raw.target[e] = target;
        raw.weight[e] = weight;
    }
    fclose(file);
    hooks_region_begin("build");
    for (long e = 0; e < edges; e++) {
        cilk_spawn insert_end(raw, vertices, n, e, 0, directed);
        cilk_spawn insert_end(raw, vertices, n, e, 1, directed);
    }
    cilk_sync;
    hooks_region_end();
    mw_free(raw.source);
    mw_free(raw.target);
    mw_free(raw.weight);
    return graph;
}
