/* What is put is written in the loop itself, where memory comes through a variable. */
#include <stdio.h>
#include <stdlib.h>
struct vertex { long size, room, mark; struct vertex **to; long *weight; };
int main(void)
{
    long n = 37, m = 150;
    struct vertex **vs = malloc(n * sizeof(struct vertex *));
    for (long i = 0; i < n; i++)
        vs[i] = calloc(1, sizeof(struct vertex));
    long e = 0;
    while (e < m) {
        struct vertex *u;
        u = vs[e * 3 % n];
        struct vertex *v = vs[(e + 1) % n];
        const int w = e % 9;
        if (u->size == u->room) {
            const long room = u->room + 3;
            struct vertex **to = realloc(u->to, room * sizeof *to);
            if (to)
                u->to = to;
            u->weight = realloc(u->weight, room * sizeof(long));
            u->room = room;
        }
        if (w != 4) {
            u->to[u->size] = v;
            u->weight[u->size] = w;
            u->size++;
        }
        e++;
    }
    long sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (long i = 0; i < n; i++) {
        struct vertex *v = vs[i];
        for (long k = 0; k < v->size; k++)
            sum += v->weight[k] * (i + k) + v->to[k]->size;
    }
    printf("%ld\n", sum);
    for (long i = 0; i < n; i++)
        printf("%ld %ld\n", vs[i]->size, vs[i]->mark % 1000);
    return 0;
}
