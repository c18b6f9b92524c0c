#include <stdio.h>
int n, m, from[999], to[999], start[99], list[999], rstart[99], rlist[999], at[99];
long a[99], b[99];
int main(int argc, char **argv)
{
    FILE *file = fopen(argv[1], "r");
    if (!file || fscanf(file, "%d %d", &n, &m) != 2) return 1;
    for (int e = 0; e < m; e++) {
        int u, v;
        if (fscanf(file, "%d %d", &u, &v) != 2) return 1;
        from[e] = u, to[e] = v;
        start[u + 1]++, rstart[v + 1]++;
    }
    for (int v = 0; v < n; v++) start[v + 1] += start[v], rstart[v + 1] += rstart[v];
    for (int v = 0; v < n; v++) at[v] = start[v];
    for (int e = 0; e < m; e++) list[at[from[e]]++] = to[e];
    for (int v = 0; v < n; v++) at[v] = rstart[v];
    for (int e = 0; e < m; e++) rlist[at[to[e]]++] = from[e];
    for (int v = 0; v < n; v++) a[v] = v;
    for (int v = 0; v < n; v++)
        for (int k = rstart[v]; k < rstart[v + 1]; k++) b[v] += a[rlist[k]];
    for (int v = 0; v < n; v++) printf("%ld\n", b[v]);
    return 0;
}
