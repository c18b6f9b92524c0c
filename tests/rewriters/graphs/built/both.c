long *first = calloc(n + 1, sizeof(long)), *to = malloc((2 * m + 1) * sizeof(long));
long *cost = malloc((2 * m + 1) * sizeof(long)), *p = malloc(n * sizeof *p);
for (long e = 0; e < m; e++) { first[src[e] + 1]++; first[dst[e] + 1]++; }
for (long v = 0; v < n; v++) first[v + 1] += first[v];
for (long v = 0; v < n; v++) p[v] = first[v];
for (long e = 0; e < m; e++) {
    long u = src[e], v = dst[e];
    cost[p[u]] = wt[e];
    to[p[u]++] = v;
    cost[p[v]] = wt[e];
    to[p[v]++] = u;
}
