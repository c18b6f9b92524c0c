long *p = calloc(n, sizeof *p), *q = calloc(n, sizeof *q);
for (long e = 0; e < m; e++) {
    long u = src[e], v = dst[e], i = first[u] + p[u]++, j = begin[v] + q[v]++;
    to[i] = v; cost[i] = wt[e]; by[j] = u; price[j] = wt[e];
}
