// s2s: --passes=lanes --force -- -O3 -march=x86-64-v3 -fopenmp
// run
/* Filters of bytes with a radius, with and without borders, and polynomials at many points. */
#include "soundness/numbers.h"

static void filter(const unsigned char *in, unsigned char *out, const float *taps, int r, int w, int h)
{
    for (int y = 0; y < h; y++)  // remark: iterations of 'x' side by side [lanes]
        for (int x = r; x < w - r; x++) {
            float sum = 0;
            for (int i = -r; i <= r; i++) sum += taps[i + r] * in[y * w + x + i];
            out[y * w + x] = (unsigned char)(sum + 0.5f);
        }
}

static int row(int y, int h)
{
    if (y < 0) return 0;
    if (y >= h) return h - 1;
    return y;
}

static void blur(const unsigned char *in, unsigned char *out, int r, int w, int h)
{
    for (int y = 0; y < h; y++)  // remark: iterations of 'x' side by side, split at the edges [lanes]
        for (int x = 0; x < w; x++) {
            int sum = 0;
            for (int j = -r; j <= r; j++)
                for (int i = -r; i <= r; i++) {
                    int yy = row(y + j, h), xx = x + i;
                    if (xx < 0) xx = 0;
                    if (xx >= w) xx = w - 1;
                    sum += in[yy * w + xx];
                }
            out[y * w + x] = (unsigned char)(sum / ((2 * r + 1) * (2 * r + 1)));
        }
}

static void weigh(const unsigned char *in, float *out, const float *taps, int r, int w, int h)
{
    for (int y = r; y < h - r; y++)  // remark: iterations of 'x' side by side [lanes]
        for (int x = r; x < w - r; x++) {
            const float *tap = taps;
            float sum = 0;
            for (int j = -r; j <= r; j++)
                for (int i = -r; i <= r; i++) sum += *tap++ * in[(y + j) * w + x + i];
            out[y * w + x] = sum;
        }
}

static void evaluate(const double *x, float *y, int n, const double *c, int degree)
{
    for (int i = 0; i < n; i++) {  // remark: iterations of 'i' side by side [lanes]
        double p = c[degree];
        for (int k = degree - 1; k >= 0; k--) p = p * x[i] + c[k];
        y[i] = (float)p;
    }
}

int main(void)
{
    unsigned char in[40 * 70], out[40 * 70] = {0};
    float taps[81], y[300], sums[40 * 70] = {0};
    double *x = numbers(300, 1), *c = numbers(9, 2);
    for (int k = 0; k < 40 * 70; k++) in[k] = (unsigned char)(k * 7 % 251);
    for (int k = 0; k < 81; k++) taps[k] = 1.0f / (float)(k + 9);
    for (int r = 0; r < 5; r++) {
        filter(in, out, taps, r, 70, 40);
        show("filter", out, sizeof out);
        blur(in, out, r, 70, 40);
        show("blur", out, sizeof out);
        weigh(in, sums, taps, r, 70, 40);
        show("weigh", sums, sizeof sums);
        evaluate(x, y, 300 - r, c, r);
        show("evaluate", y, sizeof y);
    }
    return 0;
}
