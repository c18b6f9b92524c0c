// s2s: --passes=lanes --force --parallel -- -O3 -march=x86-64-v3 -fopenmp
// run
// text x3: parallel for
// text: s2s_width
// text: s2s_o_line
// text: s2s_y_line
/* Threads share what is around the sums' loops; few columns are enough. */
#include "soundness/numbers.h"

static void layer(const float *in, const float *w, const float *bias, float *out, int c, int k, int size)
{
    for (int o = 0; o < k; o++)  // remark: iterations of 'x' side by side, parallel outside
        for (int y = 0; y < size; y++)
            for (int x = 0; x < size; x++) {
                float sum = bias[o];
                for (int i = 0; i < c; i++)
                    for (int b = 0; b < 3; b++)
                        sum += in[(i * size + y) * (size + 2) + x + b] * w[(o * c + i) * 3 + b];
                out[(o * size + y) * size + x] = sum > 0 ? sum : 0;
            }
}

/* The first loop has three iterations, the second one is as good. */
static void planes(const double *in, double *out, const double *taps, int r, int h, int w, int row)
{
    for (int p = 0; p < 3; p++)  // remark: iterations of 'x' side by side, parallel outside
        for (int y = 0; y < h; y++)
            for (int x = 0; x < w; x++) {
                double sum = 0;
                for (int i = 0; i < r; i++) sum += taps[i] * in[(p * h + y) * row + x + i];
                out[(p * h + y) * w + x] = sum / 3;
            }
}

/* Rows depend on each other: threads share strips of them. */
static void below(const double *a, double *b, const double *taps, int r, int h, int w, int row)
{
    for (int y = 1; y < h; y++)  // remark: iterations of 'x' side by side
        for (int x = 0; x < w; x++) {
            double sum = b[(y - 1) * w + x];
            for (int i = 0; i < r; i++) sum += taps[i] * a[y * row + x + i];
            b[y * w + x] = sum;
        }
}

int main(void)
{
    const double *numbered = numbers(3 * 20 * 309, 1), *taps = numbers(9, 2);
    static float in[5 * 40 * 42], w[7 * 5 * 3], bias[7], out[7 * 40 * 40];
    static double b[3 * 20 * 300];
    for (int k = 0; k < 5 * 40 * 42; k++) in[k] = (float)numbered[k];
    for (int k = 0; k < 7 * 5 * 3; k++) w[k] = (float)numbered[k] - 0.5f;
    for (int size = 40; size > 0; size -= 13) {
        layer(in, w, bias, out, size % 6, 7, size);
        show("layer", out, sizeof out);
        planes(numbered, b, taps, size % 10, 20, size * 7, size * 7 + 9);
        show("planes", b, sizeof b);
        below(numbered, b, taps, size % 9, 60, size * 7, size * 7 + 9);
        show("below", b, sizeof b);
    }
    return 0;
}
