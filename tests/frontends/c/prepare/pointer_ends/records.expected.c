/* What pointers to records lead to are elements of what they were set to. */
#include <stdio.h>
#include <string.h>

typedef struct { short kind; double x, v; struct { int n; float w[3]; } in; } Body;

static void move(Body *all, int n, double dt)
{
    {
        /* s2s: parallel loop over 'b_at' */
        if (n >= 1) {
#pragma omp parallel for
            for (long b_at = 0; b_at < n; b_at++) {
                all[b_at].x += all[b_at].v * dt;
                all[b_at].in.n += all[b_at].x > 0;
            }
        } else {
    for (Body *b = all; b < all + n; b++) {
        b->x += b->v * dt;
        b->in.n += b->x > 0;
    }
        }
    }
}

static void weigh(Body *all, int n)
{
    {
        /* s2s: parallel loop over 'i' */
        if (n >= 1) {
#pragma omp parallel for
            for (int i = 0; i < n; i++) {
                for (int k = 0; k <= 2; k++) {
                    all[i + 1].in.w[k] = all[i + 1].in.w[k] * 0.5f + (float)all[i + 1].kind;
                }
                all[(long)(i + 1)].v = all[i + 1].x;
            }
        } else {
    for (int i = 0; i < n; i++) {
        Body *const b = &all[i + 1];
        for (int k = 0; k < 3; k++)
            b->in.w[k] = b -> in.w[k] * 0.5f + (float)b->kind;
        (*b).v = b->x;
    }
        }
    }
}

static void pull(Body *all, Body *end, double dt)
{
    {
        const long a_count = end - all;
        const long b_count = end - all;
        {
            /* s2s: parallel loop over 'a_at' */
            if (a_count >= 1 && b_count >= 1) {
#pragma omp parallel for
                for (long a_at = 0; a_at < a_count; a_at++) {
                    for (long b_at = 0; b_at < b_count; b_at++) {
                        all[a_at].v += (all[b_at].x - all[a_at].x) * dt;
                    }
                }
            } else {
    for (Body *a = all; a < end; ++a)
        for (const Body *b = all; b < end; ++b)
            a->v += (b->x - a->x) * dt;
            }
        }
    }
}

/* A name in parentheses is a name. */
static void guarded(Body *all, int n)
{
    {
        /* s2s: parallel loop over 'i' */
        if (n >= 1) {
#pragma omp parallel for
            for (int i = 0; i < n; i++) {
                all[i].x = 1;
            }
        } else {
    for (int i = 0; i < n; i++) {
        Body *b = all + i;
        (b)->x = 1;
    }
        }
    }
}

int main(void)
{
    static Body all[60];
    for (int n = 0; n <= 40; n += n < 4 ? 1 : 9) {
        memset(all, 0, sizeof all);
        for (int k = 0; k < 60; k++) {
            all[k].x = k % 7 - 3, all[k].v = 1.0 / (k + 1), all[k].kind = (short)k;
            all[k].in.w[k % 3] = (float)k;
        }
        move(all + 2, n, 0.125);
        weigh(all, n);
        pull(all, all + n, 0.5);
        guarded(all + 50, n / 8);
        for (int k = 0; k < 60; k++)
            printf("%.17g %.17g %d %g\n", all[k].x, all[k].v, all[k].in.n, all[k].in.w[k % 3]);
    }
    return 0;
}
