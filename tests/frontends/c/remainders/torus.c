// s2s: --passes=split,lanes -- -O3 -march=haswell
// run
/* Neighbours on a ring and on a torus, by remainders. */
#include "soundness/numbers.h"

static void laplace(double *out, const double *u, int nx, int ny)
{
    // remark: split at the boundaries [split]
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < nx; i++) {
            int l = (i - 1 + nx) % nx, r = (i + 1) % nx;
            int d = (ny + j - 1) % ny, t = (j + 1) % ny;
            out[j * nx + i] = u[j * nx + l] + u[j * nx + r] + u[d * nx + i] + u[t * nx + i]
                              - 4 * u[j * nx + i];
        }
}

static void live(unsigned char *next, const unsigned char *now, int w, int h)
{
    for (int y = 0; y < h; y++)
        // remark: iterations of 'x' side by side, split at the edges [lanes]
        for (int x = 0; x < w; x++) {
            int n = 0;
            for (int dy = -1; dy <= 1; dy++)
                for (int dx = -1; dx <= 1; dx++)
                    if (dx || dy)
                        n += now[((y + dy + h) % h) * w + (x + dx + w) % w];
            next[y * w + x] = n == 3 || (n == 2 && now[y * w + x]);
        }
}

/* What the stores may change is asked for by the guard. */
struct ring { int n; double *at; };
static void turn(const struct ring *r, double *restrict out, int *turns, int m)
{
    // remark: split at the boundaries [split]
    for (int j = 0; j < m; j++)
        for (int i = 0; i < r->n; i++) {
            out[j * 40 + i] = r->at[(i + 1) % r->n] + j;
            turns[i] = j;
        }
}

int main(void)
{
    static const int sizes[][2] = {{1, 1}, {1, 40}, {2, 3}, {7, 9}, {8, 8}, {50, 60}, {64, 37}};
    static unsigned char now[4000], next[4000];
    double *in = numbers(4000, 1), *out = numbers(4000, 2);
    for (int i = 0; i < 4000; i++) now[i] = in[i] > 0.4;
    for (int s = 0; s < 7; s++) {
        struct ring ring = {sizes[s][1] < 40 ? sizes[s][1] : 40, in};
        int turns[40] = {0};
        laplace(out, in, sizes[s][0], sizes[s][1]);
        live(next, now, sizes[s][0], sizes[s][1]);
        show("laplace", out, 4000 * sizeof *out);
        show("live", next, sizeof next);
        turn(&ring, out, turns, 9);
        turn(&ring, out, &ring.n, 9 * (ring.n == 1));
        show("turned", out, 4000 * sizeof *out);
    }
    return 0;
}
