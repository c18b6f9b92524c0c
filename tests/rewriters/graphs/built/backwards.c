long *p = malloc(n * sizeof *p), *q = malloc(n * sizeof *q);
for (long v = 0; v < n; v++) { p[v] = first[v + 1]; q[v] = begin[v + 1]; }
for (long e = m - 1; e >= 0; e--) {
    const long u = src[e], v = dst[e];
    to[--p[u]] = v; cost[p[u]] = wt[e];
    q[v]--;
    by[q[v]] = u; price[q[v]] = wt[e];
}
