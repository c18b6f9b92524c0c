/* Loops from a pointer to an end run as loops that count. */
#include <stdio.h>
#include <string.h>

typedef struct { double x, v; int hits[2]; } Body;

static void halve(double *first, double *end)
{
    {
        const long p_count = end - first;
        {
            /* s2s: parallel loop over 'p_at' */
            if (p_count >= 1) {
#pragma omp parallel for
                for (long p_at = 0; p_at < p_count; p_at++) {
                    first[p_at] = first[p_at] * 0.5 + 1;
                }
            } else {
    for (double *p = first; p < end; p++)
        *p = *p * 0.5 + 1;
            }
        }
    }
}

static void through_names(const double *restrict in, double *restrict out, int n)
{
    const double *const begin = in;
    const double *const end = in + n;
    double *q = out;
    {
        /* s2s: parallel loop over 'p_at' */
        if (n >= 1) {
#pragma omp parallel for
            for (long p_at = 0; p_at < n; p_at++) {
                q[p_at] = begin[p_at] * 2;
            }
        } else {
    for (const double *p = begin; p != end; ++p, q++)
        *q = *p * 2;
        }
    }
}

static void rows(const float *in, float *restrict out, int w, int h)
{
    {
        /* s2s: parallel loop over 'y' */
        if (h >= 1) {
#pragma omp parallel for
            for (int y = 0; y < h; y++) {
                float sum = 0;

                for (long p_at = 0; p_at < w; p_at++)
                    {  sum += in[(long)(y * w) + p_at] * in[(long)(y * w) + p_at]; }
                out[y] = sum;
            }
        } else {
    for (int y = 0; y < h; y++) {
        float sum = 0;
        const float *row = in + y * w, *end = row + w;
        for (const float *p = row; p < end; p++)
            sum += *p * *p;
        out[y] = sum;
    }
        }
    }
}

static void every_other(const float *in, float *restrict out, int w, int h)
{
    {
        /* s2s: loops (y, p_at), unrolled and jammed 'y' by 4, parallel outside */
        if (h >= 1 && w >= 2) {
#pragma omp parallel for
            for (long s2s_y_tile = 0; s2s_y_tile <= (long)(h - 1) / 4; s2s_y_tile++) {
                if (h >= 4 * s2s_y_tile + 4) {
                    if (0 < w - 1) {
                        float s2s_out_0 = out[4 * s2s_y_tile];
                        float s2s_out_1 = out[4 * s2s_y_tile + 1];
                        float s2s_out_2 = out[4 * s2s_y_tile + 2];
                        float s2s_out_3 = out[4 * s2s_y_tile + 3];
                        for (long p_at = 0; p_at < w - 1; p_at += 2) {
                            {
                                const int y = (int)(4 * s2s_y_tile);
                                s2s_out_0 += in[(long)(y * w) + p_at + 0]
                                             - in[(long)(y * w) + p_at + 1];
                            }
                            {
                                const int y = (int)(4 * s2s_y_tile + 1);
                                s2s_out_1 += in[(long)(y * w) + p_at + 0]
                                             - in[(long)(y * w) + p_at + 1];
                            }
                            {
                                const int y = (int)(4 * s2s_y_tile + 2);
                                s2s_out_2 += in[(long)(y * w) + p_at + 0]
                                             - in[(long)(y * w) + p_at + 1];
                            }
                            {
                                const int y = (int)(4 * s2s_y_tile + 3);
                                s2s_out_3 += in[(long)(y * w) + p_at + 0]
                                             - in[(long)(y * w) + p_at + 1];
                            }
                        }
                        out[4 * s2s_y_tile] = s2s_out_0;
                        out[4 * s2s_y_tile + 1] = s2s_out_1;
                        out[4 * s2s_y_tile + 2] = s2s_out_2;
                        out[4 * s2s_y_tile + 3] = s2s_out_3;
                    }
                } else {
                    for (int y = (int)(4 * s2s_y_tile); y < h; y++) {
                        for (long p_at = 0; p_at < w - 1; p_at += 2) {
                            out[y] += in[(long)(y * w) + p_at + 0] - in[(long)(y * w) + p_at + 1];
                        }
                    }
                }
            }
        } else {
    for (int y = 0; y < h; y++)
        for (const float *p = in + y * w; p <= in + y * w + (w - 2); p += 2)
            out[y] += p[0] - p[1];
        }
    }
}

static void move(Body *all, int n, double dt)
{
    {
        /* s2s: parallel loop over 'b_at' */
        if (n >= 1) {
#pragma omp parallel for
            for (long b_at = 0; b_at < n; b_at++) {
                all[b_at].x += all[b_at + 0].v * dt;
                all[b_at].hits[1] += all[b_at + 0].x > 0;
            }
        } else {
    for (Body *b = all; b < all + n; b++) {
        (*b).x += b[0].v * dt;
        (*b).hits[1] += b[0].x > 0;
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
            /* s2s: 4 rows of 'a_at' side by side */
            if (a_count >= 1 && b_count >= 1) {
                for (long s2s_a_at_tile = 0; s2s_a_at_tile <= (a_count - 1) / 4; s2s_a_at_tile++) {
                    if (a_count >= 4 * s2s_a_at_tile + 4) {
                        for (long b_at = 0; b_at < b_count; b_at++) {
                            {
                                const long a_at = 4 * s2s_a_at_tile;
                                all[a_at + 0].v += (all[b_at].x - all[a_at].x) * dt;
                            }
                            {
                                const long a_at = 4 * s2s_a_at_tile + 1;
                                all[a_at + 0].v += (all[b_at].x - all[a_at].x) * dt;
                            }
                            {
                                const long a_at = 4 * s2s_a_at_tile + 2;
                                all[a_at + 0].v += (all[b_at].x - all[a_at].x) * dt;
                            }
                            {
                                const long a_at = 4 * s2s_a_at_tile + 3;
                                all[a_at + 0].v += (all[b_at].x - all[a_at].x) * dt;
                            }
                        }
                    } else {
                        for (long a_at = 4 * s2s_a_at_tile; a_at < a_count; a_at++) {
                            for (long b_at = 0; b_at < b_count; b_at++) {
                                all[a_at + 0].v += (all[b_at].x - all[a_at].x) * dt;
                            }
                        }
                    }
                }
            } else {
    for (Body *a = all; a < end; ++a)
        for (const Body *b = all; b < end; ++b)
            a[0].v += ((*b).x - (*a).x) * dt;
            }
        }
    }
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
