/* Rows that variables and pointers walk along, from where the loop around has set them. */
#include "soundness/numbers.h"

static void stencil(int n, const double *restrict a, double *restrict b)
{

    {
        /* s2s: parallel loop over 'i' */
        if (n >= 3) {
#pragma omp parallel for
            for (int i = 1; i < n - 1; i++) {
                int c = i * n + 1;
                for (int j = 1; j < n - 1; j++) {
                    b[(c + (j - 1))] = a[(c + (j - 1)) - 1] + a[(c + (j - 1)) + 1]
                                       + a[(c + (j - 1)) - n] + a[(c + (j - 1)) + n];
                    ;
                }
            }
        } else {
    for (int i = 1; i < n - 1; i++) {
        int c = i * n + 1;
        for (int j = 1; j < n - 1; j++) {
            b[c] = a[c - 1] + a[c + 1] + a[c - n] + a[c + n];
            c++;
        }
    }
        }
    }
}

static void grey(int w, int h, const unsigned char *restrict in, int stride, float *restrict out)
{

    {
        /* s2s: parallel loop over 'y' */
        if (h >= 1 && w >= 1 && stride >= 3L * w) {
#pragma omp parallel for
            for (int y = 0; y < h; y++) {
                for (int x = 0; x < w; x++) {
                    out[(long)(y * w) + x] = in[(long)(y * stride) + 3L * x]
                                             + 2 * in[(long)(y * stride) + 3L * x + 1]
                                             - in[(long)(y * stride) + 3L * x + 2];
                }
            }
        } else {
    for (int y = 0; y < h; y++) {
        const unsigned char *p = in + y * stride;
        float *q = out + y * w;
        for (int x = 0; x < w; x++) {
            *q++ = p[0] + 2 * p[1] - p[2];
            p += 3;
        }
    }
        }
    }
}

static void backwards(int w, int h, float *restrict in, float *restrict out)
{

    {
        /* s2s: parallel loop over 'y' */
        if (h >= 1 && w >= 1) {
#pragma omp parallel for
            for (int y = 0; y < h; y++) {
                if ((long)w > 0) {
                    const int s2s_x_first = (int)((long)w);
                    for (int x = s2s_x_first; x > 0; x--) {
                        float left = in[(long)(y * w) + ((w) - (long)x)];
                        out[(long)(y * 2 * w) + (long)(2 * w) - 1 + (-2L * ((w) - (long)x))] = left;
                        out[(long)(y * 2 * w) + (long)(2 * w) - 1
                            + (-2L * ((w) - (long)x) - 1)] =
                                left / 2;
                    }
                }
            }
        } else {
    for (int y = 0; y < h; y++) {
        float *p = &in[y * w], *q = out + y * 2 * w + 2 * w - 1;
        for (int x = w; x > 0; x--) {
            float left = *p++;
            *q-- = left;
            *q-- = left / 2;
        }
    }
        }
    }
}

static void in_headers(int w, int h, const float *restrict in, float *restrict out)
{

    {
        /* s2s: parallel loop over 'y' */
        if (h >= 1) {
#pragma omp parallel for
            for (int y = 0; y < h; y++) {
                int k = 2 * y * w, x;
                for (x = 0; x < w;
                     x++)
                    out[(k + 2L * x)] = in[(long)(y * w) + x] - out[(k + 2L * x) + 1];
            }
        } else {
    for (int y = 0; y < h; y++) {
        const float *p = in + y * w;
        int k = 2 * y * w, x;
        for (x = 0; x < w; k += 2, x++, p++) out[k] = *p - out[k + 1];
    }
        }
    }
}

static void one_for_all(int w, int h, const float *restrict in, float *restrict out)
{
    float *q = out;

    {
        /* s2s: parallel loop over 'y' */
        if (h >= 1 && w >= 1) {
#pragma omp parallel for
            for (int y = 0; y < h; y++) {
                for (int x = 0; x < w; x++) {
                    q[(long)y * w + x] = in[(long)(y * w) + x];
                }
            }
        } else {
    for (int y = 0; y < h; y++) {
        const float *p = in + y * w;
        for (int x = 0; x < w; x++) *q++ = *p++;
    }
        }
    }
}

int main(void)
{
    enum { W = 23, H = 17 };
    double *a = numbers(W * W * 4, 1), *b = numbers(W * W * 4, 2);
    float *f = (float *)numbers(W * W, 3), *g = (float *)numbers(W * W * 2, 4);
    for (int i = 0; i < W * W * 2; i++) f[i] = i % 11, g[i] = i % 7;
    stencil(W, a, b);
    stencil(2, a, b);
    grey(W, H, (unsigned char *)a, 3 * W + 2, f);
    grey(0, H, (unsigned char *)a, 3 * W, f);
    backwards(W, H, f, g);
    in_headers(W, H, f, g);
    one_for_all(3, 2, f, g);
    show("b", b, W * W * 4 * sizeof *b);
    show("f", f, W * W * sizeof *f);
    show("g", g, W * W * 2 * sizeof *g);
    free(a), free(b), free(f), free(g);
    return 0;
}
