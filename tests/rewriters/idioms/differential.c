#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>
#define MOST 3000
#ifndef T
#define T float
#endif
FUNCTIONS
static const struct { const char *name; double (*call)(int); } functions[] = {TABLE};
static const int sizes[] = {0, 1, 2, 31, 32, 33, 63, 64, 65, 127, 128, 129, 200, 511, 512, 513,
                            1500, 2999, MOST};
static unsigned seed;
static unsigned next(void) { return seed = seed * 1103515245u + 12345u, seed >> 8 & 0xffff; }
static T special(int kind)
{
    switch (kind) {
    case 0: return (T)NAN;
    case 1: return (T)INFINITY;
    case 2: return (T)-INFINITY;
    case 3: return (T)-0.0;
    case 4: return (T)0.0;
    default: return (T)-1.5;
    }
}
static void fill(T *p, int n, int mode, int s)
{
    int i;
    seed = (unsigned)(mode * 77 + s * 1009 + 5);
    for (i = 0; i < n; i++) {
        T value = (T)((int)(next() % 2001) - 1000) / (T)128;
        switch (mode) {
        case 0: p[i] = value; break;
        case 1: p[i] = (T)i; break;
        case 2: p[i] = (T)-i; break;
        case 3: p[i] = (T)((int)(next() % 3) - 1); break;
        case 4: p[i] = next() % 50 ? (T)-1 : special((int)(next() % 6)); break;
        case 5: p[i] = next() % 2 ? (T)-0.0 : (T)0.0; break;
        case 6: p[i] = -1; break;
        case 7: p[i] = i % 97 == 96 ? (T)3 : (T)-2; break;
        default: p[i] = i == mode * 37 % n ? (T)5 : (T)-1; break;
        }
    }
}
static void show(const void *p, size_t bytes)
{
    unsigned long long h = 14695981039346656037ULL, word;
    for (size_t k = 0; k < bytes; k += sizeof word) {
        memcpy(&word, (const char *)p + k, sizeof word);
        h = (h ^ word) * 1099511628211ULL;
    }
    printf("%llx ", h);
}
static T kept_u[MODES][MOST], kept_v[MODES][MOST];
static int kept_w[MODES][MOST];
int main(void)
{
    for (int mode = 0; mode < MODES; mode++) {
        fill(kept_u[mode], MOST, mode, 1);
        fill(kept_v[mode], MOST, mode, 2);
        for (int i = 0; i < MOST; i++) kept_w[mode][i] = (int)(next() % 8);
    }
    for (unsigned f = 0; f < sizeof functions / sizeof *functions; f++)
    for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (int mode = 0; mode < MODES; mode++) {
            int n = sizes[s];
            memcpy(u, kept_u[mode], sizeof u);
            memcpy(v, kept_v[mode], sizeof v);
            memcpy(w, kept_w[mode], sizeof w);
            double result = functions[f].call(n);
            printf("%s\t%d %d %a ", functions[f].name, n, mode, result);
            show(u, sizeof u); show(v, sizeof v); show(w, sizeof w);
            printf("\n");
        }
    return 0;
}
