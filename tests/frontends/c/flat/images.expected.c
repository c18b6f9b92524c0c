/* Rows of pixels with several numbers, of half the width, and subscripts of unsigned types. */
#include <stddef.h>
#include "soundness/numbers.h"

static void blur(int w, int h, const float *in, float *out)
{

    {
        /* s2s: parallel loop over 'y' */
        if (/* sizes for which this is right */
            h >= 3 && w >= 3
            /* 'in' and 'out' do not overlap */
            && ((const char *)(in + ((long)h - 1) * (long)(3L * w))
                <= (const char *)(out + (long)(3L * w))
                || (const char *)(out + ((long)h - 1) * (long)(3L * w)) <= (const char *)in)) {
#pragma omp parallel for
            for (int y = 1; y < h - 1; y++) {
                for (int x = 1; x < w - 1; x++) {
                    for (int c = 0; c <= 2; c++) {
                        out[(y * w + x) * 3 + c] = (in[(y * w + x - 1) * 3 + c]
                                                    + in[(y * w + x + 1) * 3 + c]
                                                    + in[((y - 1) * w + x) * 3 + c]) / 3;
                    }
                }
            }
        } else {
    for (int y = 1; y < h - 1; y++)
        for (int x = 1; x < w - 1; x++)
            for (int c = 0; c < 3; c++)
                out[(y * w + x) * 3 + c] = (in[(y * w + x - 1) * 3 + c] + in[(y * w + x + 1) * 3 + c]
                                            + in[((y - 1) * w + x) * 3 + c]) / 3;
        }
    }
}

/* The rows of the result overlap where a pixel has three numbers: nothing may be shared. */
static void interleave(int w, int h, const float *restrict in, float *restrict out)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            for (int c = 0; c < 3; c++)
                out[(y * w + x) * 2 + c] += in[y * w + x];
}

static void halve(int w, int h, const float *in, float *out)
{

    {
        /* s2s: parallel loop over 'y' */
        if (/* sizes for which this is right */
            h >= 2 && w >= 1
            /* 'in' and 'out' do not overlap */
            && ((const char *)(in + (long)h / 2 * (long)(2L * w)) <= (const char *)out
                || (const char *)(out + (long)h / 2 * (long)(((long)w + 1) / 2))
                   <= (const char *)in)) {
#pragma omp parallel for
            for (int y = 0; y < (long)h / 2; y++) {
                for (int x = 0; x < (((long)w + 1) / 2); x++) {
                    out[y * ((w + 1) / 2) + x] = in[2 * y * w + 2 * x]
                                                 - in[(2 * y + 1) * w + 2 * x];
                }
            }
        } else {
    for (int y = 0; y < h / 2; y++)
        for (int x = 0; x < (w + 1) / 2; x++)
            out[y * ((w + 1) / 2) + x] = in[2 * y * w + 2 * x] - in[(2 * y + 1) * w + 2 * x];
        }
    }
}

static void colour(int w, int h, const float *light, const float *shade, float *rgb)
{

    {
        /* s2s: parallel loop over 'y' */
        if (/* sizes for which this is right */
            h >= 2 && w >= 2
            /* 'light' and 'rgb' do not overlap */
            && ((const char *)(light + (h - (long)h % 2) * (long)w) <= (const char *)rgb
                || (const char *)(rgb + (h - (long)h % 2) * (long)(3L * w))
                   <= (const char *)light)
            /* 'rgb' and 'shade' do not overlap */
            && ((const char *)(rgb + (h - (long)h % 2) * (long)(3L * w)) <= (const char *)shade
                || (const char *)(shade + (long)h / 2 * (long)((long)w / 2))
                   <= (const char *)rgb)) {
#pragma omp parallel for
            for (int y = 0; y < h - (long)h % 2; y++) {
                for (int x = 0; x < 2 * ((long)w / 2); x++) {
                    float r = light[y * w + x] + shade[y / 2 * (w >> 1) + x / 2];
                    rgb[(y * w + x) * 3] = r > 1 ? 1 : r;
                    rgb[(y * w + x) * 3 + 1] = light[y * w + x];
                    rgb[(y * w + x) * 3 + 2] = r / 2;
                }
            }
        } else {
    for (int y = 0; y < (h & ~1); y++)
        for (int x = 0; x < w - w % 2; x++) {
            float r = light[y * w + x] + shade[y / 2 * (w >> 1) + x / 2];
            rgb[(y * w + x) * 3] = r > 1 ? 1 : r;
            rgb[(y * w + x) * 3 + 1] = light[y * w + x];
            rgb[(y * w + x) * 3 + 2] = r / 2;
        }
        }
    }
}

static void relax(size_t nx, size_t ny, size_t nz, const double *u, double *v)
{

    {
        /* s2s: parallel loop over 'k' */
        if (/* sizes for which this is right */
            (long)nz >= 3 && (long)ny >= 3 && (long)nx >= 3
            /* 'u' and 'v' do not overlap */
            && ((const char *)(u + ((long)nz - 1) * (long)ny * (long)nx)
                <= (const char *)(v + (long)ny * (long)nx)
                || (const char *)(v + ((long)nz - 1) * (long)ny * (long)nx) <= (const char *)u)) {
#pragma omp parallel for
            for (unsigned long k = 1; k < (unsigned long)((long)nz - 1); k++) {
                for (unsigned long j = 1; j < (unsigned long)((long)ny - 1); j++) {
                    for (unsigned long i = 1; i < (unsigned long)((long)nx - 1); i++) {
                        v[(k * ny + j) * nx + i] = u[(k * ny + j) * nx + i - 1]
                                                   + u[(k * ny + j) * nx + i + 1]
                                                   - u[((k - 1) * ny + j) * nx + i]
                                                     * u[(k * ny + j - 1) * nx + i];
                    }
                }
            }
        } else {
    for (size_t k = 1; k < nz - 1; k++)
        for (size_t j = 1; j < ny - 1; j++)
            for (size_t i = 1; i < nx - 1; i++)
                v[(k * ny + j) * nx + i] = u[(k * ny + j) * nx + i - 1] + u[(k * ny + j) * nx + i + 1]
                                           - u[((k - 1) * ny + j) * nx + i] * u[(k * ny + j - 1) * nx + i];
        }
    }
}

int main(void)
{
    enum { W = 31, H = 18 };
    float *a = (float *)numbers(W * H * 4, 1), *b = (float *)numbers(W * H * 4, 2);
    double *u = numbers(W * H * 4, 3), *v = numbers(W * H * 4, 4);
    size_t i;
    for (i = 0; i < W * H * 8; i++) a[i] = (float)(i % 37) / 9, b[i] = (float)(i % 31) / 7;
    blur(W, H, a, b);
    blur(2, 2, a, b);
    blur(W, H / 2, a, a + 3);
    interleave(W, H, a, b);
    halve(W, H, a, b);
    halve(W - 1, H, b, b + 5);
    colour(W, H, a, b, b + W * H * 2);
    colour(0, H, a, b, b + W * H * 2);
    relax(W, H, 4, u, v);
    relax(1, 1, 2, u, v);
    relax(W, 3, 5, u, u + 1);
    show("b", b, W * H * 8 * sizeof *b);
    show("v", v, W * H * 4 * sizeof *v);
    show("u", u, W * H * 4 * sizeof *u);
    free(a), free(b), free(u), free(v);
    return 0;
}
