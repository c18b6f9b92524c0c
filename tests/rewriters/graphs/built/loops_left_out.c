for (long e = 0; e < m; e++) {
    if (dst[e] == src[e]) continue;
    const long i = p[src[e]]++, j = q[dst[e]]++;
    to[i] = dst[e], cost[i] = wt[e], by[j] = src[e], price[j] = wt[e];
}
