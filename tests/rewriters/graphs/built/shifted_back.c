for (long e = 0; e < m; e++) {
    to[first[src[e]]] = dst[e]; cost[first[src[e]]] = wt[e]; first[src[e]]++;
    by[begin[dst[e]]] = src[e]; price[begin[dst[e]]++] = wt[e];
}
for (long v = n; v > 0; v--) { first[v] = first[v - 1]; begin[v] = begin[v - 1]; }
first[0] = begin[0] = 0;
