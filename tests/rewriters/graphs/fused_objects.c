struct vertex { long a, b, c, size; struct vertex **others; };
GRAPH
void f(long n, struct vertex **all)
{
#pragma omp parallel for
    for (long i = 0; i < n; i++) {
        struct vertex *v = all[i];
        for (long k = 0; k < v->size; k++) v->b += v->others[k]->a;
    }
#pragma omp parallel for
    for (long i = 0; i < n; i++) all[i]->c = all[i]->b;
}
