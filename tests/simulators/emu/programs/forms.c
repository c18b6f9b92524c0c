/* Parallel loops and atomic updates in the forms that programs have; each prints what it computed.
   Arguments: GRAPH. */
#include <stdio.h>
#include <stdlib.h>
#ifdef _OPENMP
#include <omp.h>
#endif
#include "forms.h"

static int *offsets, *neighbours; /* compressed rows as globals, of half words */
static long vertex_count;
static double scale = 0.5;

static void read_graph(const char *path)
{
    long edges, u, v, w;
    FILE *file = fopen(path, "r");
    if (!file || fscanf(file, "%ld %ld", &vertex_count, &edges) != 2)
        exit(1);
    long *from = malloc(edges * sizeof(long)), *to = (long *)malloc(sizeof(long) * edges);
    offsets = calloc(vertex_count + 2, sizeof(int));
    neighbours = malloc((edges + 1) * sizeof *neighbours);
    for (long e = 0; e < edges; e++) {
        if (fscanf(file, "%ld %ld %ld", &u, &v, &w) != 3)
            exit(1);
        from[e] = u;
        to[e] = v;
        offsets[u + 2]++;
    }
    for (long i = 0; i < vertex_count; i++)
        offsets[i + 2] += offsets[i + 1];
    for (long e = 0; e < edges; e++)
        neighbours[offsets[from[e] + 1]++] = to[e];
    free(from);
    free(to);
    fclose(file);
}

static long degree_of(long v) { return offsets[v + 1] - offsets[v]; }

/* Structures by pointer and by value, members that stay and members that change. */
struct csr {
    long n;
    int *off, *nbr;
    long *counts;
    double *weights;
};

static void members(struct csr *g)
{
#pragma omp parallel for
    for (long v = 0; v < g->n; v++)
        for (int e = g->off[v]; e < g->off[v + 1]; e++) {
#pragma omp atomic
            g->counts[g->nbr[e]]++;
        }
    struct csr copy = *g;
#pragma omp parallel for schedule(dynamic, 4)
    for (long v = 0; v < copy.n; ++v) {
        double sum = 0;
        for (int e = copy.off[v]; e < copy.off[v + 1]; e++)
            sum += copy.counts[copy.nbr[e]] * scale;
        copy.weights[v] = sum;
    }
    double all = 0;
    for (long v = 0; v < g->n; v++)
        all += g->weights[v];
    printf("members %g\n", all);
}

/* Reductions of operators and types, in loops that go up, down and by steps. */
static void reductions(long n)
{
    long sum = 3, most = -1, least = 1000000, bits = 0, both = -1, odd = 0;
    int count = 7, any = 0, all = 1, high = -5;
    unsigned long product = 1, top = 5;
    double total = 1.5, peak = -1e9;
    float small = 1e9f;
    unsigned char flag = 0;
#pragma omp parallel for reduction(+ : sum, count) reduction(max : most, high) \
    reduction(min : least) reduction(| : bits) reduction(& : both) reduction(^ : odd)
    for (long v = 0; v < n; v++) {
        const long degree = degree_of(v);
        if (degree == 1)
            continue;
        sum += degree;
        count += 2;
        most = most < degree ? degree : most;
        high = high < (int)degree ? (int)degree : high;
        if (degree < least)
            least = degree;
        bits |= 1l << degree % 40;
        both &= degree | 6;
        odd ^= v * degree;
    }
#pragma omp parallel for reduction(|| : any) reduction(&& : all) reduction(* : product)
    for (int v = n - 1; v >= 0; v -= 3) {
        any = any || degree_of(v) > 5;
        all = all && degree_of(v) < 4;
        product *= 2 * degree_of(v) + 1;
    }
#pragma omp parallel for reduction(+ : total) reduction(max : peak, top) reduction(min : small) \
    reduction(| : flag)
    for (unsigned long v = 1; v <= (unsigned long)n; v += 2) {
        total += degree_of(v - 1);
        peak = peak < degree_of(v - 1) ? degree_of(v - 1) : peak;
        small = degree_of(v - 1) < small ? degree_of(v - 1) : small;
        top = top < v ? v : top;
        flag |= v & 3;
    }
    printf("reductions %ld %ld %ld %ld %ld %ld %d %d %d %d\n", sum, most, least, bits, both, odd,
           count, any, all, high);
    printf("%lu %lu %g %g %g %d\n", product, top, total, peak, small, flag);
}

/* Atomic updates of all kinds of cells, with and without their value. */
static long total_long;
static int *halves;

static void atomics(long n)
{
    int half = 0, last = -1;
    float real = 0;
    double product = 1, largest = 0;
    unsigned int mask = 0;
    long tickets = 0, least = 1l << 40, *slots = malloc((n + 1) * sizeof(long));
    int found = 0;
    halves = calloc(n + 1, sizeof(int));
#pragma omp parallel for
    for (long v = 0; v < n; v++) {
        long ticket;
        int neighbour = v + 1 < n ? v + 1 : 0;
        long key = degree_of(v) * n + v;
#pragma omp atomic
        half += 1;
#pragma omp atomic update
        real += 0.5f;
#pragma omp atomic
        product = product * 1.0;
#pragma omp atomic
        mask |= 1u << (v % 32);
#pragma omp atomic
        halves[neighbour] -= 2;
#pragma omp atomic
        total_long = v + total_long;
#pragma omp atomic capture
        ticket = tickets++;
        slots[ticket] = 1;
        __sync_fetch_and_add(&total_long, 2);
        if (__sync_fetch_and_add(&halves[v], 1) == 77)
            halves[v] = 0;
        if (key < least)
#pragma omp critical(least)
            if (key < least)
                least = key;
#pragma omp critical(largest)
        {
            if (degree_of(v) > largest)
                largest = degree_of(v);
            found = 1;
        }
    }
#pragma omp parallel for firstprivate(last) private(half)
    for (long v = 0; v < n; v++) {
        half = v;
        last = half - last;
        halves[v] += last < half ? 1 : half;
        last = -1;
    }
    long taken = 0, sum = 0;
    for (long v = 0; v < n; v++) {
        taken += slots[v];
        sum += v * halves[v];
    }
    printf("atomics %d %g %g %u %ld %ld %ld %ld %g %d %ld\n", half, real, product, mask, total_long,
           tickets, taken, least, largest, found, sum);
    free(slots);
    free(halves);
}

/* Rows of their own, arrays on the stack, Cilk's loops, regions, several statements on a line. */
static void rows(long n, const long weights[])
{
    long **adjacent = malloc(n * sizeof(long *)), *sizes = calloc(n, sizeof(long));
    long table[4][3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}, {10, 11, 12}}, seen[16] = {0}, all = 0;
    int i, changed = 0;
    for (long v = 0; v < n; v++) {
        adjacent[v] = calloc(2 * degree_of(v) + 1, sizeof(long));
        for (long k = 0; k < degree_of(v); k++)
            adjacent[v][k] = neighbours[offsets[v] + k];
    }
    cilk_for (long v = 0; v < n; v++) {
        sizes[v] = degree_of(v) * weights[v & 1];
    }
#pragma omp parallel
    {
#pragma omp for nowait
        for (i = 0; i < n; i++) {
            for (long k = 0; k < sizes[i]; k++)
                if (adjacent[i][k] != i) {
#pragma omp atomic
                    seen[adjacent[i][k] & 15] += table[i & 3][k % 3];
                    changed = 1;
                }
        }
    }
    long everything = 0, twice = 0;
#pragma omp parallel reduction(+ : twice)
    {
        long mine = 0;
#pragma omp for
        for (long v = 0; v < n; v++)
            mine += sizes[v];
#pragma omp for
        for (long v = 0; v < n; v++)
            twice += 2 * sizes[v];
#pragma omp atomic
        everything += mine;
    }
    all += everything - twice;
    if (n > 2)
#pragma omp parallel for
        for (long v = n; v != 0; v--) sizes[v - 1] *= table[0][1];
    for (long v = 0; v < n; v++) {
        all += sizes[v];
        free(adjacent[v]);
    }
    for (i = 0; i < 16; i++)
        all = 3 * all + seen[i];
    printf("rows %ld %d\n", all, changed);
    free(adjacent);
    free(sizes);
}

int main(int argc, char **argv)
{
    read_graph(argv[1]);
    struct csr graph = {vertex_count, offsets, neighbours, calloc(vertex_count + 1, 8),
                        malloc((vertex_count + 1) * 8)};
    members(&graph);
    reductions(vertex_count);
    atomics(vertex_count);
    const long weights[2] = {1, 2};
    rows(vertex_count, weights);
    free(graph.counts);
    free(graph.weights);
    free(offsets);
    free(neighbours);
    return argc > 2;
}
