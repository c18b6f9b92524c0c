/* Inner loops alone: rows are as long as the loop says, not as a counter around it. */
#include <math.h>
#include "soundness/numbers.h"

/* Distances of points, each to each. */
struct point { double x, y; };
static void distances(const struct point *p, int n, double *d)
{
    for (int i = 0; i < n; i++)

        {
            /* s2s: vectorized the loop */
            if (/* sizes for which this is right, and gains */
                n >= 16
                /* 'd' and 'p' do not overlap */
                && __builtin_expect(
                   ((const char *)(d + ((long)i + 1) * (long)n)
                    <= (const char *)(p + (i >= 0 ? 0 : i))
                    || (const char *)(p + (n >= (long)i + 1 ? n : (long)i + 1))
                       <= (const char *)(d + i * (long)n)), 1)) {
#pragma GCC ivdep
                for (int j = 0; j < n; j++) {
                    double dx = p[i].x - p[j].x, dy = p[i].y - p[j].y;
                    d[i * n + j] = sqrt(dx * dx + dy * dy);
                }
            } else {
        for (int j = 0; j < n; j++) {
            double dx = p[i].x - p[j].x, dy = p[i].y - p[j].y;
            d[i * n + j] = sqrt(dx * dx + dy * dy);
        }
            }
        }
}

/* Where nothing is proved, lengths are what the function does not change. */
static void columns(const double *in, int h, int w, int c, double *out, int oh, int ow)
{
    for (int ch = 0; ch < c * 4; ch++) {
        int wo = ch % 2, ho = ch / 2 % 2, ci = ch / 4;
        for (int y = 0; y < oh; y++)

            {
                /* s2s: vectorized the loop */
                if (/* sizes for which this is right, and gains */
                    ow >= 16 && y >= 0 && oh >= (long)y + 1
                    /* 'in' and 'out' do not overlap */
                    && __builtin_expect(
                       ((const char *)(in + ((long)ci + 1) * (long)h * (long)w)
                        <= (const char *)(out + ch * (long)oh * (long)ow)
                        || (const char *)(out + ((long)ch + 1) * (long)oh * (long)ow)
                           <= (const char *)(in + ci * (long)h * (long)w)), 1)) {
#pragma GCC ivdep
                    for (int x = 0; x < ow; x++) {
                        int iy = y + ho - 1, ix = x + wo - 1;
                        out[(ch * oh + y) * ow + x] = iy < 0 || ix < 0 || iy >= h || ix >= w
                                                      ? 0 : in[(ci * h + iy) * w + ix];
                    }
                } else {
            for (int x = 0; x < ow; x++) {
                int iy = y + ho - 1, ix = x + wo - 1;
                out[(ch * oh + y) * ow + x]
                    = iy < 0 || ix < 0 || iy >= h || ix >= w ? 0 : in[(ci * h + iy) * w + ix];
            }
                }
            }
    }
}

int main(void)
{
    double *in = numbers(9000, 1), *out = numbers(9000, 2), *v = numbers(9000, 3);
    for (int s = 1; s < 40; s += 7) {
        distances((const struct point *)in, s, v);
        show("distances", v, 9000 * sizeof *v);
        columns(in, s, s + 1, 2, out, s, s);
        columns(out, 3, s, 2, out + 50, 4, s);
        show("columns", out, 9000 * sizeof *out);
    }
    return 0;
}
