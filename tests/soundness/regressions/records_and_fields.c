// s2s: --force --parallel --passes=doall -- -fopenmp
// run
/* A record that is written as a whole, and its fields, are one memory. */
#include <stdio.h>
#include <stdlib.h>

typedef struct { double x, y; } Pair;
typedef struct { Pair first; double more[3]; } Deep;

static void whole(int n, Pair *restrict p, const Pair *restrict q, double *restrict o)
{
    for (int i = 0; i < n; i++) {
        p[i] = q[i];
        for (int k = 0; k < 2; k++) o[i] += p[n - 1 - i].y;
    }
}

static void deep(int n, Deep *restrict p, const Deep *restrict q, double *restrict o)
{
    for (int i = 0; i < n; i++) {
        p[i].first = q[i].first;
        for (int k = 0; k < 2; k++) o[i] += p[n - 1 - i].first.x;
    }
    for (int i = 0; i < n; i++) {
        p[i].more[1] = q[i].first.y;
        for (int k = 0; k < 2; k++) {
            Deep copy = p[n - 1 - i];
            o[i] += copy.more[1];
        }
    }
}

/* Threads have to wait for each other between the loops inside. */
static void in_turns(int n, int m, Pair *restrict p, const Pair *restrict q, double *restrict o)
{
    // remark: parallel loop over 'j' [doall]
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++) p[j] = q[i * m + j];
        for (int j = 0; j < m; j++) o[i * m + j] = p[m - 1 - j].y * 2;
    }
}

static void converted(int n, Pair *restrict p, double *restrict o)
{
    for (int i = 0; i < n; i++) {
        ((double *)p)[2 * i] = i;
        for (int k = 0; k < 2; k++) o[i] += p[n - 1 - i].x;
    }
}

int main(void)
{
    enum { N = 3000 };
    Pair *p = calloc(N, sizeof *p), *q = calloc(N, sizeof *q);
    Deep *d = calloc(N, sizeof *d), *e = calloc(N, sizeof *e);
    double *o = calloc(N, sizeof *o), sum = 0;
    for (int i = 0; i < N; i++) q[i].x = i % 7, q[i].y = i % 5, e[i].first = q[i];
    whole(N, p, q, o);
    deep(N, d, e, o);
    in_turns(30, N / 30, p, q, o);
    converted(N, p, o);
    for (int i = 0; i < N; i++) sum += o[i] * (i % 11);
    printf("%.3f\n", sum);
    free(p), free(q), free(d), free(e), free(o);
    return 0;
}
