#include <stdio.h>
#include <stdlib.h>
#include <string.h>
typedef void kernel(HEAD);
PROTOTYPES
static const struct { const char *name; kernel *call; } kernels[] = {TABLE};
enum { MOST = 4000 };
static long n, m, source[MOST], target[MOST], weight[MOST];
static unsigned seed = 1;
static long below(long n) { return (seed = seed * 1103515245u + 12345u) / 65536 % n; }
static void edge(long u, long v) {
    source[m] = u; target[m] = v; weight[m++] = (u * 7 + v * 3) % 11 - 2;
}
static int make(int kind)
{
    long i;
    static const long sizes[] = {0, 1, 5, 9, 9, 8, 12, 2, 37, 64, 50};
    m = 0, n = sizes[kind];
    switch (kind) {
    case 0: case 1: case 2: break;
    case 3: for (i = 1; i < n; i++) edge(0, i); break;
    case 4: for (i = 1; i < n; i++) edge(i, 0); break;
    case 5: for (i = 0; i < n; i++) { edge(i, i); edge(i, (i + 1) % n); } break;
    case 6: for (i = 0; i < 40; i++) edge(below(n), below(3)); break;
    case 7: edge(1, 0); edge(1, 0); edge(0, 1); break;
    default: for (i = 0; i < 5 * n; i++) edge(below(n), below(kind == 10 ? below(n) + 1 : n));
    }
    return kind < 10;
}
static void mirror(void)
{
    long i, all = m;
    for (i = 0; i < all; i++) if (source[i] != target[i]) {
        edge(target[i], source[i]); weight[m - 1] = weight[i];
    }
}
static void lists(const long *of, const long *other, long *off, long *nbr, long *w)
{
    long i, v, k = 0;
    for (v = 0; v < n; v++) {
        off[v] = k;
        for (i = 0; i < m; i++) if (of[i] == v) nbr[k] = other[i], w[k++] = weight[i];
    }
    off[n] = k;
}
int main(void)
{
    static long off[MOST], nbr[MOST], w[MOST], back[MOST], from[MOST], bw[MOST];
    static long a[MOST], b[MOST], c[MOST];
    int kind = 0, more = 1, both;
    unsigned i;
    long v;
    for (; more; kind++)
        for (both = 0; both < 2; both++) {
            seed = kind + 5;
            more = make(kind);
            if (both) mirror();
            lists(source, target, off, nbr, w);
            lists(target, source, back, from, bw);
            for (i = 0; i < sizeof kernels / sizeof *kernels; i++) {
                const char *tail = strstr(kernels[i].name, "_both");
                if (tail && !both) continue;
                seed = kind * 2 + both;
                for (v = 0; v < n; v++) a[v] = below(50), b[v] = below(9);
                for (v = 0; v < n; v++) c[v] = below(100);
                kernels[i].call(n, off, nbr, w, back, from, bw, a, b, c);
                printf("%s %d %d:", kernels[i].name, kind, both);
                for (v = 0; v < n; v++) printf(" %ld,%ld,%ld", a[v], b[v], c[v]);
                printf("\n");
            }
        }
    return 0;
}
