// s2s: --force --parallel
// run
// text: const long p_count = end - first;
/* Loops from a pointer to an end run as loops that count. */
#include <stdio.h>
#include <string.h>

typedef struct { double x, v; int hits[2]; } Body;

static void halve(double *first, double *end)
{
    for (double *p = first; p < end; p++)
        *p = *p * 0.5 + 1;
}

static void through_names(const double *restrict in, double *restrict out, int n)
{
    const double *const begin = in;
    const double *const end = in + n;
    double *q = out;
    for (const double *p = begin; p != end; ++p, q++)
        *q = *p * 2;
}

static void rows(const float *in, float *restrict out, int w, int h)
{
    for (int y = 0; y < h; y++) {
        float sum = 0;
        const float *row = in + y * w, *end = row + w;
        for (const float *p = row; p < end; p++)
            sum += *p * *p;
        out[y] = sum;
    }
}

static void every_other(const float *in, float *restrict out, int w, int h)
{
    for (int y = 0; y < h; y++)
        for (const float *p = in + y * w; p <= in + y * w + (w - 2); p += 2)
            out[y] += p[0] - p[1];
}

static void move(Body *all, int n, double dt)
{
    for (Body *b = all; b < all + n; b++) {
        (*b).x += b[0].v * dt;
        (*b).hits[1] += b[0].x > 0;
    }
}

static void pull(Body *all, Body *end, double dt)
{
    for (Body *a = all; a < end; ++a)
        for (const Body *b = all; b < end; ++b)
            a[0].v += ((*b).x - (*a).x) * dt;
}

static void show(const char *name, const void *data, size_t size)
{
    unsigned long sum = 5381;
    for (size_t k = 0; k < size; k++)
        sum = sum * 33 + ((const unsigned char *)data)[k];
    printf("%s %lx\n", name, sum);
}

int main(void)
{
    static double u[400], v[400];
    static float f[1600], g[40];
    static Body all[60];
    for (int n = 0; n <= 40; n += n < 4 ? 1 : 9) {
        memset(all, 0, sizeof all);
        for (int k = 0; k < 400; k++) u[k] = k % 37 * 0.25;
        for (int k = 0; k < 1600; k++) f[k] = (float)(k % 41) * 0.5f;
        for (int k = 0; k < 60; k++) all[k].x = k % 7 - 3, all[k].v = 1.0 / (k + 1);
        halve(u + 3, u + 3 + n);
        halve(u + 9, u + 5);
        show("u", u, sizeof u);
        through_names(u, v, n * 2);
        show("v", v, sizeof v);
        rows(f, g, n, 40);
        every_other(f, g, n / 2 * 2, 40);
        show("g", g, sizeof g);
        move(all, n, 0.125);
        pull(all, all + n, 0.5);
        for (int k = 0; k < 60; k++) printf("%.17g %.17g %d\n", all[k].x, all[k].v, all[k].hits[1]);
    }
    return 0;
}
