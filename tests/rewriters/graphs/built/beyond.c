for (long e = 0; e < m; e++) { first[src[e]]++; begin[dst[e]]++; }
for (long v = 1; v <= n; v++) { first[v] += first[v - 1]; begin[v] += begin[v - 1]; }
for (long e = 0; e < m; e++) {
    long k = --first[src[e]], l = --begin[dst[e]];
    to[k] = dst[e]; cost[k] = wt[e]; by[l] = src[e]; price[l] = wt[e];
}
