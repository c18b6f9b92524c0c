#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct arc { unsigned tail, head; };
struct rows { unsigned count; size_t *start; unsigned *to; };
static struct rows rows_of(unsigned count, size_t arcs, const struct arc *arc)
{
    size_t *at = malloc(count * sizeof *at), *start = calloc(count + 1ul, sizeof *start);
    struct rows made = {count, start, malloc(arcs * sizeof(unsigned))};
    for (size_t i = 0; i < arcs; i++) made.start[arc[i].tail + 1]++;
    for (unsigned v = 0; v < count; v++) made.start[v + 1] += made.start[v];
    memcpy(at, made.start, count * sizeof *at);
    for (size_t i = 0; i < arcs; i++) {
        const struct arc *one = &arc[i];
        made.to[at[one->tail]++] = one->head;
    }
    free(at);
    return made;
}
static void turn(const struct rows *from, struct rows *made)
{
    size_t *at = malloc(from->count * sizeof *at);
    made->count = from->count;
    made->start = calloc(from->count + 1ul, sizeof(size_t));
    made->to = malloc(from->start[from->count] * sizeof(unsigned));
    for (unsigned v = 0; v < from->count; v++)
        for (size_t k = from->start[v]; k < from->start[v + 1]; k++)
            made->start[from->to[k] + 1]++;
    for (unsigned v = 0; v < from->count; v++) made->start[v + 1] += made->start[v];
    for (unsigned v = 0; v < from->count; v++) at[v] = made->start[v];
    for (unsigned v = 0; v < from->count; v++)
        for (size_t k = from->start[v]; k < from->start[v + 1]; k++)
            made->to[at[from->to[k]]++] = v;
    free(at);
}
static int step(const struct rows *out, const struct rows *in, const long *now, long *next)
{
#pragma omp parallel for
    for (unsigned v = 0; v < in->count; v++) {
        long sum = 3;
        for (size_t k = in->start[v]; k < in->start[v + 1]; k++)
            sum += now[in->to[k]] / (long)(out->start[in->to[k] + 1] - out->start[in->to[k]]);
        next[v] = 1000 + sum * 17 / 20;
    }
    return 1;
}
int main(int argc, char **argv)
{
    unsigned n;
    size_t m;
    FILE *file = fopen(argv[1], "r");
    if (!file || fscanf(file, "%u %zu", &n, &m) != 2) return 1;
    struct arc *arcs = malloc(m * sizeof *arcs);
    for (size_t i = 0; i < m; i++)
        if (fscanf(file, "%u %u", &arcs[i].tail, &arcs[i].head) != 2) return 1;
    struct rows out = rows_of(n, m, arcs), in;
    turn(&out, &in);
    free(arcs);
    long *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y);
    for (unsigned v = 0; v < n; v++) x[v] = 100000;
    for (int t = 0; t < 4 && step(&out, &in, x, y); t++) { long *z = x; x = y; y = z; }
    for (unsigned v = 0; v < n; v++) printf("%ld\n", x[v]);
    return 0;
}
