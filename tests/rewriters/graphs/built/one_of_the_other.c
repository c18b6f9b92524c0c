for (long e = 0; e < m; e++) first[src[e] + 1]++;
for (long v = 0; v < n; v++) first[v + 1] += first[v];
long *p = malloc(n * sizeof *p), *q = malloc(n * sizeof *q);
memcpy(p, first, n * sizeof *p);
for (long e = 0; e < m; e++) { const long k = p[src[e]]++; to[k] = dst[e]; cost[k] = wt[e]; }
free(src);
src = NULL;
for (long v = 0; v < n; v++) for (long k = first[v]; k < first[v + 1]; k++) begin[to[k] + 1]++;
for (long v = 0; v < n; v++) begin[v + 1] += begin[v];
for (long v = 0; v < n; v++) q[v] = begin[v];
for (long v = 0; v < n; v++)
    for (long k = first[v]; k < first[v + 1]; k++) {
        const long place = q[to[k]]++;
        by[place] = v;
        price[place] = cost[k];
    }
