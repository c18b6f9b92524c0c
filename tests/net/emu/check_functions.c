void axpy(long n, double a, const double *x, double *y)
{
#pragma omp parallel for
    for (long i = 0; i < n; i++)
        y[i] += a * x[i];
}
static long knob;
long rows(int n, const long *row, const int *column, long *out)
{
    long sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < n; i++) {
        for (long k = row[i]; k < row[i + 1]; k++)
            sum += column[k] * knob;
        out[i] = row[i + 1] - row[i];
    }
    return sum;
}
struct vertex;
struct edge { struct vertex *to; long id; };
struct vertex { long depth; struct { long size; struct edge *edges; } out; long sum : 40; };
struct graph { long size; struct vertex **vertices; };
void sums(const struct graph *graph, long bound)
{
#pragma omp parallel for
    for (long i = 0; i < graph->size; i++) {
        struct vertex *v = graph->vertices[i];
        for (long k = 0; k < v->out.size; k++)
            if (v->out.edges[k].to->depth < bound)
                v->sum += v->out.edges[k].to->depth;
    }
}
