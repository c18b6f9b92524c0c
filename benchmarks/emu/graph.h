/* A graph of vertices with their edges, read from a file: `vertices edges`, then lines
   `source target weight`. A program defines PROPERTIES, what it keeps for a vertex, and includes
   this. Loops and repeated edges are dropped; edges stand in the order of their targets. */
#include <stdio.h>
#include <stdlib.h>
#ifdef __EMU__ /* names the part of a program that is timed on Emu */
#include <emu_c_utils/hooks.h>
#else
#define hooks_region_begin(name)
#define hooks_region_end()
#endif

#define FAR (1l << 60) /* a distance that no path has */

struct edge {
    struct vertex *to;
    long id; /* of the vertex at the other end */
    long weight;
};

struct list {
    long size, room;
    struct edge *edges;
};

struct vertex {
    long id;
    struct list out, in; /* an undirected graph has the same in both, in `out` */
    PROPERTIES
};

struct graph {
    long size;
    struct vertex **vertices;
};

/* Where an edge stands in a list, or would stand. */
static long place_of(const struct list *list, long id)
{
    long low = 0, high = list->size;
    while (low < high) {
        long middle = (low + high) / 2;
        if (list->edges[middle].id < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static inline int has_edge(const struct list *list, long id)
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
        list->room = list->room ? 2 * list->room : 4;
        list->edges = realloc(list->edges, list->room * sizeof(struct edge));
    }
    for (long k = list->size++; k > place; k--)
        list->edges[k] = list->edges[k - 1];
    list->edges[place].to = to;
    list->edges[place].id = id;
    list->edges[place].weight = weight;
}

static struct graph read_graph(const char *path, int directed)
{
    long size, count, source, target, weight;
    FILE *file = fopen(path, "r");
    if (!file || fscanf(file, "%ld %ld", &size, &count) != 2) {
        fprintf(stderr, "%s: no graph\n", path);
        exit(1);
    }
    struct graph graph = {size, malloc(size * sizeof(struct vertex *))};
    for (long i = 0; i < size; i++) {
        graph.vertices[i] = calloc(1, sizeof(struct vertex));
        graph.vertices[i]->id = i;
    }
    for (long e = 0; e < count; e++) {
        if (fscanf(file, "%ld %ld %ld", &source, &target, &weight) != 3) {
            fprintf(stderr, "%s: an edge is missing\n", path);
            exit(1);
        }
        if (source == target)
            continue;
        struct vertex *u = graph.vertices[source], *v = graph.vertices[target];
        insert(&u->out, v, target, weight);
        insert(directed ? &v->in : &v->out, u, source, weight);
    }
    fclose(file);
    return graph;
}

static void free_graph(struct graph *graph)
{
    for (long i = 0; i < graph->size; i++) {
        free(graph->vertices[i]->out.edges);
        free(graph->vertices[i]->in.edges);
        free(graph->vertices[i]);
    }
    free(graph->vertices);
}
