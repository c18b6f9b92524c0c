/* Rows that pointers lead to; what such a pointer is set to has to keep its value. */
#include "soundness/numbers.h"

typedef struct { int width, height; double *pixels; } Image;

static void smooth(const double *in, double *out, int w, int h)
{
    {
        /* s2s: parallel loop over 'y' */
        if (/* sizes for which this is right */
            h >= 3 && w >= 3
            /* 'in' and 'out' do not overlap */
            && ((const char *)(in + h * (long)w) <= (const char *)(out + (long)w)
                || (const char *)(out + ((long)h - 1) * (long)w) <= (const char *)in)) {
#pragma omp parallel for
            for (int y = 1; y < h - 1; y++) {
                for (int x = 1; x < w - 1; x++) {
                    out[(long)(y * w) + x] = in[(long)(y * w) + x]
                                             + in[(long)(y * w) + x - 1] * 0.5
                                             + in[(long)((y - 1) * w) + x]
                                             + in[(long)((y + 1) * w)]
                                             + in[(long)((y + 1) * w) + (x)];
                }
            }
        } else {
    for (int y = 1; y < h - 1; y++) {
        const double *up = in + (y - 1) * w, *row = &in[y * w], *down = &in[(y + 1) * w];
        double *o = out + y * w;
        for (int x = 1; x < w - 1; x++)
            o[x] = row[x] + row[x - 1] * 0.5 + up[x] + *down + down[(x)];
    }
        }
    }
}

static void members(const Image *a, Image *b)
{
    {
        /* s2s: parallel loop over 'y' */
        if (/* what is read early is there */
            a->height >= 1
            && a->width >= 1
            /* sizes for which this is right */
            && b->width >= a->width
            /* 'a.pixels' and 'b.pixels' do not overlap */
            && ((const char *)(a->pixels + a->height * (long)a->width)
                <= (const char *)b->pixels
                || (const char *)(b->pixels + a->height * (long)b->width)
                   <= (const char *)a->pixels)) {
#pragma omp parallel for
            for (int y = 0; y < a->height; y++) {
                for (int x = 0; x < a->width; x++) {
                    b->pixels[(long)(y * b->width) + x] = a->pixels[(long)((size_t)y * a->width) + x] + a->pixels[(long)((size_t)y * a->width) + (long)x + 0];
                }
            }
        } else {
    for (int y = 0; y < a->height; y++) {
        const double *p = a->pixels + (size_t)y * a->width;
        double *q = &b->pixels[y * b->width];
        for (int x = 0; x < a->width; x++) {
            const double *two = p + x;
            q[x] = p[x] + two[0];
        }
    }
        }
    }
}

static void steps(const double *in, double *out, int n)
{
    {
        /* s2s: parallel loop over 'i' */
        if (/* sizes for which this is right */
            n >= 2
            /* 'in' and 'out' do not overlap */
            && ((const char *)(in + 3L * n) <= (const char *)(out + 2)
                || (const char *)(out + 3L * n - 1) <= (const char *)(in + 2))) {
#pragma omp parallel for
            for (int i = 1; i < n; i++) {
                for (int k = -1; k <= 1; k++) {
                    out[i * 3 + k] = in[(long)(3 * i) + 0] + in[(long)(3 * i) + k]
                                     + in[(long)(3 * i) + 2];
                }
            }
        } else {
    for (int i = 1; i < n; i++) {
        const double *p = 3 * i + in;
        for (int k = -1; k < 2; k++) out[i * 3 + k] = p[0] + p[k] + p[2];
    }
        }
    }
}

static void moves(const double *in, double *out, int w, int h)
{
    for (int y = 0; y < h; y++) {
        const double *p = in + y * w;
        int last = 0;
        for (int x = 0; x < w; x++) {
            const double *q = in + last;
            last = x;
            out[y * w + x] = q[0] + *p;
            p++;
        }
    }
}

static void hides(const double *in, double *out, int w, int h)
{
    for (int y = 0; y < h; y++) {
        const double *p = in + y * w;
        for (int x = 0; x < 9; x++) {
            int w = x / 2;
            out[y * 9 + x] = p[w];
        }
    }
}

static void pitch(const double *in, double *out, int bytes, int w, int h)
{
    for (int y = 0; y < h; y++) {
        const double *row = (const double *)((const char *)in + y * bytes);
        {
            /* s2s: parallel loop over 'x' */
            if (/* sizes for which this is right */
                w >= 1
                /* 'out' and 'row' do not overlap */
                && __builtin_expect(
                   ((const char *)(out + ((long)y + 1) * (long)w)
                    <= (const char *)row
                    || (const char *)(row + w) <= (const char *)(out + y * (long)w)), 1)) {
#pragma omp parallel for
                for (int x = 0; x < w; x++) {
                    out[y * w + x] = row[x] * 0.5;
                }
            } else {
        for (int x = 0; x < w; x++) out[y * w + x] = row[x] * 0.5;
            }
        }
    }
}

static void halves(const double *in, double *out, int w, int h)
{
    for (int y = 0; y < h; y++) {
        const double *row = in + y * w;
        for (int x = 0; x < w; x++) out[y * w + x] = ((const float *)row)[x];
    }
}

static void wraps(const double *in, double *out, int w, int h)
{
    {
        /* s2s: parallel loop over 'y' */
        if (/* sizes for which this is right */
            h >= 1 && w >= 1
            /* 'in' and 'out' do not overlap */
            && ((const char *)(in + h * (long)w) <= (const char *)out
                || (const char *)(out + h * (long)w) <= (const char *)in)) {
#pragma omp parallel for
            for (int y = 0; y < h; y++) {
                for (int x = 0; x < w; x++) {
                    out[y * w + x] = in[(long)(3u) + x - 3] + in[(long)(y * w) + x];
                }
            }
        } else {
    for (int y = 0; y < h; y++) {
        const double *three = in + 3u, *row = in + y * w;
        for (int x = 0; x < w; x++) out[y * w + x] = three[x - 3] + row[x];
    }
        }
    }
}

static void backwards(const double *in, double *out, int w, int h)
{
    {
        /* s2s: parallel loop over 'y' */
        if (/* sizes for which this is right */
            h >= 2 && w >= 2
            /* 'in' and 'out' do not overlap */
            && ((const char *)(in + h * (long)w) <= (const char *)(out + (long)w)
                || (const char *)(out + h * (long)w) <= (const char *)in)) {
#pragma omp parallel for
            for (int y = 1; y < h; y++) {
                for (int x = 1; x < w; x++) {
                    out[(long)((y + 1) * w) - (long)(3u) + 3 - w + x] =
                            in[(long)(y * w) - 1 + x] + in[(long)(y * w) - ((w + 0L)) + x]
                            - in[(long)(y * w) - ((long)((w - 2))) + (long)w + (-2)];
                }
            }
        } else {
    for (int y = 1; y < h; y++) {
        const double *before = in + y * w - 1, *up = &in[y * w] - (w + 0L);
        const double *at = in + y * w - (w - 2) + w;
        double *end = out + (y + 1) * w - 3u;
        for (int x = 1; x < w; x++) end[3 - w + x] = before[x] + up[x] - at[-2];
    }
        }
    }
}

int main(void)
{
    double *a = numbers(3000, 1), *b = numbers(3000, 2);
    Image one = {20, 30, a}, two = {20, 30, b};
    smooth(a, b, 40, 30);
    show("smooth", b, 3000 * sizeof *b);
    members(&one, &two);
    show("members", b, 3000 * sizeof *b);
    steps(a, b, 990);
    show("steps", b, 3000 * sizeof *b);
    moves(a, b, 30, 40);
    show("moves", b, 3000 * sizeof *b);
    hides(a, b, 20, 30);
    show("hides", b, 3000 * sizeof *b);
    pitch(a, b, 24 * sizeof *a, 20, 30);
    show("pitch", b, 3000 * sizeof *b);
    halves(a, b, 30, 40);
    show("halves", b, 3000 * sizeof *b);
    backwards(a, b, 30, 40);
    show("backwards", b, 3000 * sizeof *b);
    wraps(a, b, 30, 40);
    show("wraps", b, 3000 * sizeof *b);
    return 0;
}
