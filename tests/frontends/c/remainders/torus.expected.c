/* Neighbours on a ring and on a torus, by remainders. */
#include "soundness/numbers.h"

static void laplace(double *out, const double *u, int nx, int ny)
{

    {
        /* s2s: split at the boundaries */
        if (/* sizes for which this is right, and gains */
            ny >= 1 && nx >= 8
            /* 'out' and 'u' do not overlap */
            && ((const char *)(out + ny * (long)nx) <= (const char *)u
                || (const char *)(u + ny * (long)nx) <= (const char *)out)) {
            for (long s2s_j = 0; s2s_j < ny; s2s_j++) {
                if (ny >= s2s_j + 2 && s2s_j >= 1) {
                    {
                        const int j = (int)s2s_j;
                        const int i = 0;
                        int l = (i - 1 >= 0 ? i - 1 : (i - 1 + nx) % nx),
                            r = ((i + 1) < nx ? (i + 1) : (i + 1) % nx);
                        int d = (j - 1 >= 0 ? j - 1 : (ny + j - 1) % ny),
                            t = ((j + 1) < ny ? (j + 1) : (j + 1) % ny);
                        out[j * nx + i] = u[j * nx + l] + u[j * nx + r] + u[d * nx + i]
                                          + u[t * nx + i] - 4 * u[j * nx + i];
                    }
                    {
                        const int j = (int)s2s_j;
#pragma GCC ivdep
                        for (int i = 1; i < nx - 1; i++) {
                            {
                                int l = (i - 1), r = ((i + 1));
                                int d = (j - 1), t = ((j + 1));
                                out[j * nx + i] = u[j * nx + l] + u[j * nx + r] + u[d * nx + i]
                                                  + u[t * nx + i] - 4 * u[j * nx + i];
                            }
                        }
                    }
                    {
                        const int j = (int)s2s_j;
                        const int i = nx - 1;
                        int l = (i - 1 >= 0 ? i - 1 : (i - 1 + nx) % nx),
                            r = ((i + 1) < nx ? (i + 1) : (i + 1) % nx);
                        int d = (j - 1 >= 0 ? j - 1 : (ny + j - 1) % ny),
                            t = ((j + 1) < ny ? (j + 1) : (j + 1) % ny);
                        out[j * nx + i] = u[j * nx + l] + u[j * nx + r] + u[d * nx + i]
                                          + u[t * nx + i] - 4 * u[j * nx + i];
                    }
                } else if (s2s_j == 0) {
                    const int j = 0;
#pragma GCC ivdep
                    for (int i = 0; i < nx; i++) {
                        {
                            int l = (i - 1 >= 0 ? i - 1 : (i - 1 + nx) % nx),
                                r = ((i + 1) < nx ? (i + 1) : (i + 1) % nx);
                            int d = (j - 1 >= 0 ? j - 1 : (ny + j - 1) % ny),
                                t = ((j + 1) < ny ? (j + 1) : (j + 1) % ny);
                            out[j * nx + i] = u[j * nx + l] + u[j * nx + r] + u[d * nx + i]
                                              + u[t * nx + i] - 4 * u[j * nx + i];
                        }
                    }
                } else {
                    const int j = ny - 1;
#pragma GCC ivdep
                    for (int i = 0; i < nx; i++) {
                        {
                            int l = (i - 1 >= 0 ? i - 1 : (i - 1 + nx) % nx),
                                r = ((i + 1) < nx ? (i + 1) : (i + 1) % nx);
                            int d = (j - 1 >= 0 ? j - 1 : (ny + j - 1) % ny),
                                t = ((j + 1) < ny ? (j + 1) : (j + 1) % ny);
                            out[j * nx + i] = u[j * nx + l] + u[j * nx + r] + u[d * nx + i]
                                              + u[t * nx + i] - 4 * u[j * nx + i];
                        }
                    }
                }
            }
        } else {
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < nx; i++) {
            int l = (i - 1 + nx) % nx, r = (i + 1) % nx;
            int d = (ny + j - 1) % ny, t = (j + 1) % ny;
            out[j * nx + i] = u[j * nx + l] + u[j * nx + r] + u[d * nx + i] + u[t * nx + i]
                              - 4 * u[j * nx + i];
        }
        }
    }
}

static void live(unsigned char *next, const unsigned char *now, int w, int h)
{
    for (int y = 0; y < h; y++)

        {
            /* s2s: iterations of 'x' side by side, split at the edges */
            if (/* sizes for which this is right, and gains */
                w >= 34 && (long)y + h >= 1 && 2L * h >= (long)y + 2
                /* 'next' and 'now' do not overlap */
                && __builtin_expect(
                   ((const char *)(next + ((long)y + 1) * (long)w)
                    <= (const char *)(now
                                      + (y <= 0 ? y
                                         : (y >= (long)h + 1 ? (long)y - h - 1
                                            : (h == y || (y >= 2 && h == (long)y + 1) ? 0
                                               : (long)y - 1))) * (long)w)
                    || (const char *)(now
                                      + (y >= 1 && h >= (long)y + 2 ? (long)y + 2
                                         : (y <= -2 ? (long)y + h + 2
                                            : ((y >= 1 && (long)y + 1 >= h)
                                               || (y == 0 && h == 1) ? (long)y + 1 : h)))
                                        * (long)w) <= (const char *)(next + y * (long)w)), 1)) {
                for (long s2s_x_strip = 0; s2s_x_strip <= ((long)w + 255) / 256 - 1;
                     s2s_x_strip++) {
                    int s2s_n_values[256] __attribute__((aligned(64)));
                    {
                        long s2s_x_end = 256 * s2s_x_strip + 255;
                        if (s2s_x_end > w - 1) s2s_x_end = w - 1;
                        if (256 * s2s_x_strip <= s2s_x_end) {
                            const int s2s_x_last = (int)s2s_x_end;
#pragma GCC ivdep
                            for (int x = (int)(256 * s2s_x_strip); x <= s2s_x_last; x++) {
                                s2s_n_values[x - 256 * s2s_x_strip] = 0;
                            }
                        }
                    }
                    if (256 * s2s_x_strip + 256 >= w) {
                        for (long s2s_o1 = -1; s2s_o1 <= 1; s2s_o1++) {
                            if (s2s_o1 <= 0) {
                                if (s2s_x_strip == 0) {
                                    const int x = 0;
                                    const int dy = (int)s2s_o1;
                                    const int dx = -1;
                                    s2s_n_values[x - 256 * s2s_x_strip] +=
                                            now[((y + dy + h) % h) * w
                                                + (x + dx >= 0
                                                   ? (x + dx < w ? x + dx : (x + dx + w) % w)
                                                   : (x + dx + w) % w)];
                                }
                                {
                                    const int dy = (int)s2s_o1;
                                    const int dx = -1;
                                    long s2s_x_begin = 1;
                                    if (s2s_x_begin < 256 * s2s_x_strip)
                                        s2s_x_begin = 256 * s2s_x_strip;
                                    if (s2s_x_begin < w - 1) {
                                        const int s2s_x_last = w - 1;
#pragma GCC ivdep
                                        for (int x = (int)s2s_x_begin; x < s2s_x_last; x++) {
                                            s2s_n_values[x - 256 * s2s_x_strip] +=
                                                    now[((y + dy + h) % h) * w + ((x + dx))];
                                        }
                                    }
                                }
                                {
                                    const int x = w - 1;
                                    const int dy = (int)s2s_o1;
                                    const int dx = -1;
                                    s2s_n_values[x - 256 * s2s_x_strip] +=
                                            now[((y + dy + h) % h) * w
                                                + (x + dx >= 0
                                                   ? (x + dx < w ? x + dx : (x + dx + w) % w)
                                                   : (x + dx + w) % w)];
                                }
                                if (s2s_o1 == -1) {
                                    if (s2s_x_strip == 0) {
                                        const int x = 0;
                                        const int dy = -1;
                                        const int dx = 0;
                                        s2s_n_values[x - 256 * s2s_x_strip] +=
                                                now[((y + dy + h) % h) * w
                                                    + (x + dx >= 0
                                                       ? (x + dx < w ? x + dx : (x + dx + w) % w)
                                                       : (x + dx + w) % w)];
                                    }
                                    {
                                        const int dy = -1;
                                        const int dx = 0;
                                        long s2s_x_begin = 1;
                                        if (s2s_x_begin < 256 * s2s_x_strip)
                                            s2s_x_begin = 256 * s2s_x_strip;
                                        if (s2s_x_begin < w - 1) {
                                            const int s2s_x_last = w - 1;
#pragma GCC ivdep
                                            for (int x = (int)s2s_x_begin; x < s2s_x_last; x++) {
                                                s2s_n_values[x - 256 * s2s_x_strip] +=
                                                        now[((y + dy + h) % h) * w + ((x + dx))];
                                            }
                                        }
                                    }
                                    {
                                        const int x = w - 1;
                                        const int dy = -1;
                                        const int dx = 0;
                                        s2s_n_values[x - 256 * s2s_x_strip] +=
                                                now[((y + dy + h) % h) * w
                                                    + (x + dx >= 0
                                                       ? (x + dx < w ? x + dx : (x + dx + w) % w)
                                                       : (x + dx + w) % w)];
                                    }
                                }
                            } else {
                                const int dy = 1;
                                for (int dx = -1; dx <= 0; dx++) {
                                    if (s2s_x_strip == 0) {
                                        const int x = 0;
                                        s2s_n_values[x - 256 * s2s_x_strip] +=
                                                now[((y + dy + h) % h) * w
                                                    + (x + dx >= 0
                                                       ? (x + dx < w ? x + dx : (x + dx + w) % w)
                                                       : (x + dx + w) % w)];
                                    }
                                    {
                                        long s2s_x_begin = 1;
                                        if (s2s_x_begin < 256 * s2s_x_strip)
                                            s2s_x_begin = 256 * s2s_x_strip;
                                        if (s2s_x_begin < w - 1) {
                                            const int s2s_x_last = w - 1;
#pragma GCC ivdep
                                            for (int x = (int)s2s_x_begin; x < s2s_x_last; x++) {
                                                s2s_n_values[x - 256 * s2s_x_strip] +=
                                                        now[((y + dy + h) % h) * w + ((x + dx))];
                                            }
                                        }
                                    }
                                    {
                                        const int x = w - 1;
                                        s2s_n_values[x - 256 * s2s_x_strip] +=
                                                now[((y + dy + h) % h) * w
                                                    + (x + dx >= 0
                                                       ? (x + dx < w ? x + dx : (x + dx + w) % w)
                                                       : (x + dx + w) % w)];
                                    }
                                }
                            }
                            if (s2s_x_strip == 0) {
                                const int x = 0;
                                const int dy = (int)s2s_o1;
                                const int dx = 1;
                                s2s_n_values[x - 256 * s2s_x_strip] +=
                                        now[((y + dy + h) % h) * w
                                            + (x + dx >= 0
                                               ? (x + dx < w ? x + dx : (x + dx + w) % w)
                                               : (x + dx + w) % w)];
                            }
                            {
                                const int dy = (int)s2s_o1;
                                const int dx = 1;
                                long s2s_x_begin = 1;
                                if (s2s_x_begin < 256 * s2s_x_strip)
                                    s2s_x_begin = 256 * s2s_x_strip;
                                if (s2s_x_begin < w - 1) {
                                    const int s2s_x_last = w - 1;
#pragma GCC ivdep
                                    for (int x = (int)s2s_x_begin; x < s2s_x_last; x++) {
                                        s2s_n_values[x - 256 * s2s_x_strip] +=
                                                now[((y + dy + h) % h) * w + ((x + dx))];
                                    }
                                }
                            }
                            {
                                const int x = w - 1;
                                const int dy = (int)s2s_o1;
                                const int dx = 1;
                                s2s_n_values[x - 256 * s2s_x_strip] +=
                                        now[((y + dy + h) % h) * w
                                            + (x + dx >= 0
                                               ? (x + dx < w ? x + dx : (x + dx + w) % w)
                                               : (x + dx + w) % w)];
                            }
                        }
                    } else if (s2s_x_strip >= 1) {
                        for (long s2s_o1 = -1; s2s_o1 <= 1; s2s_o1++) {
                            if (s2s_o1 <= 0) {
                                {
                                    const int dy = (int)s2s_o1;
                                    const int dx = -1;
                                    if (256 * s2s_x_strip <= 256 * s2s_x_strip + 255) {
                                        const int s2s_x_last = (int)(256 * s2s_x_strip + 255);
#pragma GCC ivdep
                                        for (int x = (int)(256 * s2s_x_strip); x <= s2s_x_last;
                                             x++) {
                                            s2s_n_values[x - 256 * s2s_x_strip] +=
                                                    now[((y + dy + h) % h) * w + ((x + dx))];
                                        }
                                    }
                                }
                                if (s2s_o1 == -1) {
                                    const int dy = -1;
                                    const int dx = 0;
                                    if (256 * s2s_x_strip <= 256 * s2s_x_strip + 255) {
                                        const int s2s_x_last = (int)(256 * s2s_x_strip + 255);
#pragma GCC ivdep
                                        for (int x = (int)(256 * s2s_x_strip); x <= s2s_x_last;
                                             x++) {
                                            s2s_n_values[x - 256 * s2s_x_strip] +=
                                                    now[((y + dy + h) % h) * w + ((x + dx))];
                                        }
                                    }
                                }
                            } else {
                                const int dy = 1;
                                for (int dx = -1; dx <= 0; dx++) {
                                    if (256 * s2s_x_strip <= 256 * s2s_x_strip + 255) {
                                        const int s2s_x_last = (int)(256 * s2s_x_strip + 255);
#pragma GCC ivdep
                                        for (int x = (int)(256 * s2s_x_strip); x <= s2s_x_last;
                                             x++) {
                                            s2s_n_values[x - 256 * s2s_x_strip] +=
                                                    now[((y + dy + h) % h) * w + ((x + dx))];
                                        }
                                    }
                                }
                            }
                            {
                                const int dy = (int)s2s_o1;
                                const int dx = 1;
                                if (256 * s2s_x_strip <= 256 * s2s_x_strip + 255) {
                                    const int s2s_x_last = (int)(256 * s2s_x_strip + 255);
#pragma GCC ivdep
                                    for (int x = (int)(256 * s2s_x_strip); x <= s2s_x_last; x++) {
                                        s2s_n_values[x - 256 * s2s_x_strip] +=
                                                now[((y + dy + h) % h) * w + ((x + dx))];
                                    }
                                }
                            }
                        }
                    } else {
                        for (long s2s_o1 = -1; s2s_o1 <= 1; s2s_o1++) {
                            if (s2s_o1 <= 0) {
                                {
                                    const int x = 0;
                                    const int dy = (int)s2s_o1;
                                    const int dx = -1;
                                    s2s_n_values[x - 256 * s2s_x_strip] +=
                                            now[((y + dy + h) % h) * w
                                                + (x + dx >= 0
                                                   ? (x + dx < w ? x + dx : (x + dx + w) % w)
                                                   : (x + dx + w) % w)];
                                }
                                {
                                    const int dy = (int)s2s_o1;
                                    const int dx = -1;
#pragma GCC ivdep
                                    for (int x = 1; x <= 255; x++) {
                                        s2s_n_values[x - 256 * s2s_x_strip] +=
                                                now[((y + dy + h) % h) * w + ((x + dx))];
                                    }
                                }
                                if (s2s_o1 == -1) {
                                    {
                                        const int x = 0;
                                        const int dy = -1;
                                        const int dx = 0;
                                        s2s_n_values[x - 256 * s2s_x_strip] +=
                                                now[((y + dy + h) % h) * w
                                                    + (x + dx >= 0
                                                       ? (x + dx < w ? x + dx : (x + dx + w) % w)
                                                       : (x + dx + w) % w)];
                                    }
                                    {
                                        const int dy = -1;
                                        const int dx = 0;
#pragma GCC ivdep
                                        for (int x = 1; x <= 255; x++) {
                                            s2s_n_values[x - 256 * s2s_x_strip] +=
                                                    now[((y + dy + h) % h) * w + ((x + dx))];
                                        }
                                    }
                                }
                            } else {
                                const int dy = 1;
                                for (int dx = -1; dx <= 0; dx++) {
                                    {
                                        const int x = 0;
                                        s2s_n_values[x - 256 * s2s_x_strip] +=
                                                now[((y + dy + h) % h) * w
                                                    + (x + dx >= 0
                                                       ? (x + dx < w ? x + dx : (x + dx + w) % w)
                                                       : (x + dx + w) % w)];
                                    }
#pragma GCC ivdep
                                    for (int x = 1; x <= 255; x++) {
                                        s2s_n_values[x - 256 * s2s_x_strip] +=
                                                now[((y + dy + h) % h) * w + ((x + dx))];
                                    }
                                }
                            }
                            {
                                const int x = 0;
                                const int dy = (int)s2s_o1;
                                const int dx = 1;
                                s2s_n_values[x - 256 * s2s_x_strip] +=
                                        now[((y + dy + h) % h) * w
                                            + (x + dx >= 0
                                               ? (x + dx < w ? x + dx : (x + dx + w) % w)
                                               : (x + dx + w) % w)];
                            }
                            {
                                const int dy = (int)s2s_o1;
                                const int dx = 1;
#pragma GCC ivdep
                                for (int x = 1; x <= 255; x++) {
                                    s2s_n_values[x - 256 * s2s_x_strip] +=
                                            now[((y + dy + h) % h) * w + ((x + dx))];
                                }
                            }
                        }
                    }
                    {
                        long s2s_x_end = 256 * s2s_x_strip + 255;
                        if (s2s_x_end > w - 1) s2s_x_end = w - 1;
                        if (256 * s2s_x_strip <= s2s_x_end) {
                            const int s2s_x_last = (int)s2s_x_end;
#pragma GCC ivdep
                            for (int x = (int)(256 * s2s_x_strip); x <= s2s_x_last; x++) {
                                next[y * w + x] = s2s_n_values[x - 256 * s2s_x_strip] == 3
                                                  || (s2s_n_values[x - 256 * s2s_x_strip] == 2
                                                      && now[y * w + x]);
                            }
                        }
                    }
                }
            } else {
        for (int x = 0; x < w; x++) {
            int n = 0;
            for (int dy = -1; dy <= 1; dy++)
                for (int dx = -1; dx <= 1; dx++)
                    if (dx || dy)
                        n += now[((y + dy + h) % h) * w + (x + dx + w) % w];
            next[y * w + x] = n == 3 || (n == 2 && now[y * w + x]);
        }
            }
        }
}

/* What the stores may change is asked for by the guard. */
struct ring { int n; double *at; };
static void turn(const struct ring *r, double *restrict out, int *turns, int m)
{

    {
        /* s2s: split at the boundaries */
        if (/* what is read early is there */
            m >= 1
            /* sizes for which this is right, and gains */
            && r->n >= 8
            /* 'r->n' keeps its value */
            && ((const char *)(&r->n + 1) <= (const char *)turns
                || (const char *)(turns + r->n) <= (const char *)&r->n)
            /* 'r.n' and 'turns' do not overlap */
            && ((const char *)(r + 1) <= (const char *)turns
                || (const char *)(turns + r->n) <= (const char *)r)) {
            __typeof__(&r->at[0]) const s2s_r_at = r->at;
            const int s2s_r_n = r->n;
            for (int j = 0; j < m; j++) {
#pragma GCC ivdep
                for (int i = 0; i < s2s_r_n - 1; i++) {
                    out[j * 40 + i] = s2s_r_at[((i + 1))] + j;
                    turns[i] = j;
                }
                {
                    const int i = s2s_r_n - 1;
                    out[j * 40 + i] = s2s_r_at[((i + 1) % s2s_r_n)] + j;
                }
                {
                    const int i = s2s_r_n - 1;
                    turns[i] = j;
                }
            }
        } else {
    for (int j = 0; j < m; j++)
        for (int i = 0; i < r->n; i++) {
            out[j * 40 + i] = r->at[(i + 1) % r->n] + j;
            turns[i] = j;
        }
        }
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
