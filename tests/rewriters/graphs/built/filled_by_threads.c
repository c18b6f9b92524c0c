#pragma omp parallel for
for (long e = 0; e < m; e++) {
    long i, j;
#pragma omp atomic capture
    i = p[src[e]]++;
#pragma omp atomic capture
    j = q[dst[e]]++;
    to[i] = dst[e]; cost[i] = wt[e]; by[j] = src[e]; price[j] = wt[e];
}
