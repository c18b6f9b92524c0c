for (long e = 0; e < m; e++) {
    long k = p[src[e]]++;
    to[k] = dst[e]; cost[k] = wt[e];
    k = q[dst[e]]++;
    by[k] = src[e]; price[k] = wt[e];
}
