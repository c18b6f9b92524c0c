// s2s: --passes=flat-rows -- -O3
// run
/* Flat loops with coordinates from their counter. */
#include "soundness/numbers.h"

/* The body names row and column. */
static void vignette(double *out, const double *in, int w, int h)
{
    // remark: rows of 'w' iterations, without divisions [flat-rows]
    for (int p = 0; p < w * h; p++) {
        int x = p % w, y = p / w;
        double dx = x - w * 0.5, dy = y - h * 0.5;
        out[p] = in[p] * (dx * dx + dy * dy);
    }
}

/* The length is a variable that is the product; the counter is read after the loop. */
static int columns(double *out, const double *in, int w, int h)
{
    const int n = w * h;
    int p;
    // remark: rows of 'h' iterations, without divisions [flat-rows]
    for (p = 0; p < n; ++p) {
        if (p % h == 1) continue;
        out[p] += in[p % h] - p / h;
    }
    return p;
}

/* The key ends in the middle of a row. */
static void mix(unsigned char *d, size_t n, const unsigned char *key, size_t k)
{
    // remark: rows of 'k' iterations, without divisions [flat-rows]
    for (size_t i = 0; i < n; i++) d[i] ^= key[i % k];
}

/* Two divisors: that which divides more often. */
static void bias(double *x, const double *b, int n, int c, int plane)
{
    for (int k = 0; k < 2; k++)
        // remark: rows of 'plane' iterations, without divisions [flat-rows]
        for (int i = 0; i < n * c * plane; i++)
            x[i] += b[(i / plane) % c] + k + i % plane;
}

int main(void)
{
    static const int sizes[][2] = {{1, 1}, {1, 40}, {40, 1}, {2, 3}, {7, 9}, {50, 60}, {-5, -9}};
    static unsigned char bytes[4000];
    double *in = numbers(4000, 1), *out = numbers(4000, 2);
    for (int s = 0; s < 7; s++) {
        int w = sizes[s][0], h = sizes[s][1];
        vignette(out, in, w, h);
        show("vignette", out, 4000 * sizeof *out);
        printf("%d\n", columns(out, in + 2000, w, h) + columns(out + 7, out, -w, h));
        mix(bytes, (size_t)(w * h) + 3, (const unsigned char *)in, (size_t)(w * w));
        show("mix", bytes, sizeof bytes);
        bias(out, in, 3, w * w < 9 ? 2 : 1, h * h < 99 ? h * h : 30);
        show("bias", out, 4000 * sizeof *out);
    }
    return 0;
}
