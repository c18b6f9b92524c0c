// s2s: --parallel --passes=doall --force -- -fopenmp
// run
/* Records that are read and written as a whole, beside their fields. */
#include "soundness/numbers.h"

typedef struct { double x, y, z; long tag; } Body;

static void forces(int n, const Body *p, Body *f)
{
    for (int i = 0; i < n; i++) {  // remark: parallel loop over 'i' [doall]
        Body s = {0, 0, 0, i};
        for (int j = 0; j < n; j++) {
            double dx = p[j].x - p[i].x, dy = p[j].y - p[i].y, r = 1 / (dx * dx + dy * dy + 1);
            s.x += dx * r;
            s.y += dy * r;
        }
        f[i] = s;
    }
}

static void moved(int n, Body *p, const Body *f)
{
    for (int i = 0; i < n; i++) {  // remark: parallel loop over 'i' [doall]
        Body b = p[i];
        for (int k = 0; k < 3; k++) b.x += f[i].x * k;
        p[i] = b;
    }
}

static void shifted(int n, Body *p)
{
    for (int i = 0; i + 1 < n; i++) p[i] = p[i + 1];
}

static void fields(int n, Body *restrict p, const Body *restrict q)
{
    for (int i = 1; i < n; i++) {
        p[i] = q[i];
        for (int k = 0; k < 2; k++) p[i].x += p[i - 1].y;
    }
}

int main(void)
{
    enum { N = 53 };
    Body *p = calloc(N, sizeof *p), *q = calloc(N, sizeof *q);
    for (int i = 0; i < N; i++) p[i].x = i % 7, p[i].y = i % 5, q[i].x = i, p[i].tag = i;
    forces(N, p, q);
    show("forces", q, N * sizeof *q);
    forces(N - 1, p, p + 1);
    show("overlapping", p, N * sizeof *p);
    moved(N, p, q);
    moved(N - 2, p, p + 2);
    show("moved", p, N * sizeof *p);
    shifted(N, p);
    fields(N, q, p);
    show("fields", q, N * sizeof *q);
    free(p), free(q);
    return 0;
}
