#include <stdio.h>
#include <stdlib.h>
static int n, m, *src, *dst, *begin, *list, *rbegin, *rlist;
static void offsets(const int *key, int **found)
{
    int i, *count = (int *)calloc(n + 1, sizeof(int));
    for (i = 0; i < m; i++) count[key[i] + 1]++;
    for (i = 1; i <= n; i++) count[i] += count[i - 1];
    *found = count;
}
static int *filled(const int *start, const int *key, const int *value)
{
    int *to = malloc(m * sizeof(int)), *next = malloc(n * sizeof(int)), i;
    for (i = 0; i != n; i++) next[i] = start[i];
    for (i = 0; i < m; i++) to[next[key[i]]++] = value[i];
    free(next);
    return to;
}
int main(int argc, char **argv)
{
    FILE *file = fopen(argv[1], "r");
    int v, e;
    if (!file || fscanf(file, "%d %d", &n, &m) != 2) return 1;
    src = malloc(m * sizeof(int));
    dst = malloc(m * sizeof(int));
    for (e = 0; e < m; e++) if (fscanf(file, "%d %d", src + e, dst + e) != 2) exit(1);
    offsets(src, &begin);
    offsets(dst, &rbegin);
    list = filled(begin, src, dst);
    rlist = filled(rbegin, dst, src);
    long *a = malloc(n * sizeof(long)), *b = calloc(n + 1, sizeof(long));
    for (v = 0; v < n; v++) a[v] = v;
#pragma omp parallel for private(e)
    for (v = 0; v < n; v++)
        for (e = rbegin[v]; e < rbegin[v + 1]; e++)
            b[v] += a[rlist[e]];
    for (v = 0; v < n; v++) printf("%ld\n", b[v]);
    return 0;
}
