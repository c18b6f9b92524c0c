#include <stdlib.h>
struct vertex; struct arc { struct vertex *end; int cost; };
struct arcs { long count; struct arc *all; };
struct vertex { long a, b; struct arcs out, in; };
struct world { long count; struct vertex **all; };
#pragma s2s graph vertices(world.count, world.all) \
    out(vertex.out.count, vertex.out.all.end, vertex.out.all.cost) \
    in(vertex.in.count, vertex.in.all.end, vertex.in.all.cost)
static void object_pull(struct world *world)
{
#pragma omp parallel for
    for (long i = 0; i < world->count; i++) {
        struct vertex *const v = world->all[i];
        for (long k = 0; k < v->in.count; k++) {
            const struct arc *arc = &v->in.all[k];
            const struct vertex *u = arc->end;
            if (v->b > u->a + arc->cost)
                v->b = u->a + arc->cost;
        }
    }
}
static struct arcs arcs(struct vertex *all, const long *off, const long *nbr, const long *w, long v)
{
    struct arcs made = {off[v + 1] - off[v], malloc(4000 * sizeof(struct arc))};
    for (long k = 0; k < made.count; k++) {
        made.all[k].end = &all[nbr[off[v] + k]];
        made.all[k].cost = (int)w[off[v] + k];
    }
    return made;
}
