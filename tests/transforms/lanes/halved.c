// s2s: --passes=lanes --force -- -O3 -march=x86-64-v3 -fopenmp
// run
/* Filters of any size for each channel, at every second pixel: ends of loops are cases, and are so
   long that they are broken into lines. */
#include "soundness/numbers.h"

static void halve(int channels, int h, int w, int rows, int columns, int size, const double *in,
                  const double *taps, double *restrict out)
{
    for (int o = 0; o < channels; o++)  // remark: iterations of 'x' side by side, split at the edges [lanes]
        for (int y = 0; y < rows; y++)
            for (int x = 0; x < columns; x++) {
                double s = 0;
                for (int b = 0; b < size; b++)
                    for (int e = 0; e < size; e++) {
                        int y1 = y * 2 + b - 1, x1 = x * 2 + e - 1;
                        if (y1 >= 0 && y1 < h && x1 >= 0 && x1 < w)
                            s += in[(y1 * w + x1) * channels + o] * taps[(o * size + b) * size + e];
                    }
                out[(o * rows + y) * columns + x] = s;
            }
}

int main(void)
{
    static const int sizes[][3] = {{0, 0, 3}, {1, 1, 3}, {2, 7, 1}, {9, 65, 3}, {6, 70, 5}, {65, 66, 2}};
    for (int k = 0; k < 6; k++)
        for (int channels = 1; channels < 4; channels += 2) {
            int h = sizes[k][0], w = sizes[k][1], size = sizes[k][2];
            int rows = (h + 1) / 2, columns = (w + 1) / 2;
            size_t count = (size_t)channels * rows * columns;
            double *in = numbers((size_t)channels * h * w, 1), *out = numbers(count, 2);
            double *taps = numbers((size_t)channels * size * size, 3);
            halve(channels, h, w, rows, columns, size, in, taps, out);
            show("out", out, count * sizeof *out);
            free(in);
            free(out);
            free(taps);
        }
    return 0;
}
