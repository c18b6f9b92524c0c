/* Planes that are walked along as a whole: rows as long as a product. */
#include <stddef.h>
#include "soundness/numbers.h"

static void add(int n, int h, int w, float *out, const float *bias)
{

    {
        /* s2s: parallel loop over 'i' */
        if (/* what is read early is there */
            n >= 1
            /* sizes for which this is right */
            && (h * w) >= 1
            /* 'bias' and 'out' do not overlap */
            && ((const char *)(bias + n) <= (const char *)out
                || (const char *)(out + n * (long)(h * w)) <= (const char *)bias)) {
#pragma omp parallel for
            for (int i = 0; i < n; i++) {
                for (int p = 0; p < (h * w); p++) {
                    out[i * h * w + p] += bias[i];
                }
            }
        } else {
    for (int i = 0; i < n; i++)
        for (int p = 0; p < h * w; p++) out[i * h * w + p] += bias[i];
        }
    }
}

/* Three factors, a number among them, and members. */
struct size { int c, h, w; };
static void pixels(const struct size *s, int n, double *out, const double *in)
{

    {
        /* s2s: parallel loop over 'i' */
        if (/* what is read early is there */
            n >= 1
            /* sizes for which this is right */
            && (((2 * s->c) * s->h) * s->w) >= 1
            /* 'in' and 'out' do not overlap */
            && ((const char *)(in + n * (long)(((2 * s->c) * s->h) * s->w)) <= (const char *)out
                || (const char *)(out + n * (long)(((2 * s->c) * s->h) * s->w))
                   <= (const char *)in)) {
#pragma omp parallel for
            for (int i = 0; i < n; i++) {
                for (int p = 0; p < (((2 * s->c) * s->h) * s->w); p++) {
                    out[(n - 1 - i) * s->c * s->h * s->w * 2 + p] =
                            in[i * (2 * s->c * s->h * s->w) + p] * 2;
                }
            }
        } else {
    for (int i = 0; i < n; i++)
        for (int p = 0; p < 2 * s->c * s->h * s->w; p++)
            out[(n - 1 - i) * s->c * s->h * s->w * 2 + p] = in[i * (2 * s->c * s->h * s->w) + p] * 2;
        }
    }
}

/* The first one of a plane is behind the last one of the plane before. */
static void shift(int n, size_t h, size_t w, float *out)
{

    {
        /* s2s: parallel loop over 'i' */
        if (n >= 1 && (long)(h * w) >= 2) {
#pragma omp parallel for
            for (int i = 0; i < n; i++) {
                for (unsigned long p = 1; p < (unsigned long)((long)(h * w)); p++) {
                    out[i * h * w + p - 1] = out[i * h * w + p] + 1;
                }
            }
        } else {
    for (int i = 0; i < n; i++)
        for (size_t p = 1; p < h * w; p++) out[i * h * w + p - 1] = out[i * h * w + p] + 1;
        }
    }
}

/* One more than a plane has: the next one begins with it. */
static void beyond(int n, int h, int w, float *out)
{
    for (int i = 0; i < n; i++)
        for (int p = 0; p <= h * w; p++) out[i * h * w + p] = out[i * h * w + p] * 0.5f + i;
}

/* Planes that lie closer than they are long. */
static void closer(int n, int h, int w, float *out)
{
    for (int i = 0; i < n; i++)
        for (int p = 0; p < h * w; p++) out[i * h * (w - 1) + p] = out[i * h * (w - 1) + p] * 0.5f + i;
}

/* The product of the bound may wrap, that of the place does not. */
static void wraps(int n, unsigned h, unsigned w, float *out)
{
    for (int i = 0; i < n; i++)
        for (unsigned p = 0; p < h * w; p++) out[(size_t)i * h * w + p] += i;
}

/* So may a part of it. */
static void wraps_in_part(int n, unsigned h, unsigned w, float *out)
{
    for (int i = 0; i < n; i++)
        for (long p = 0; p < (long)(h * w) * 2; p++) out[(long)i * h * w * 2 + p] += i;
}

int main(void)
{
    static float out[4000], bias[10];
    static double in[4000], twice[4000];
    for (int k = 0; k < 4000; k++) {
        in[k] = k % 17;
        out[k] = (float)(k % 13);
    }
    for (int k = 0; k < 10; k++) bias[k] = (float)k / 4;
    for (int n = 0; n < 6; n++)
        for (int h = 1; h < 12; h += 3) {
            struct size s = {n / 2 + 1, h, 7};
            add(n, h, 9, out, bias);
            pixels(&s, n, twice, in);
            shift(n, h, 10, out);
            beyond(n, h, 8, out);
            closer(n, h, 8, out);
            wraps(n, h, 5, out);
            wraps_in_part(n, h, 5, out);
            show("floats", out, sizeof out);
            show("doubles", twice, sizeof twice);
        }
    return 0;
}
