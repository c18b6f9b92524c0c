static void rows(long n, long *len, long **adj, long **cost, long *rlen, long **radj, long **rcost,
                 long *restrict a, long *restrict b)
{
#pragma s2s graph vertices(n) out(len, adj, cost) in(rlen, radj, rcost)
    long v, k, u;
#pragma omp parallel for private(k, u)
    for (v = 0; v < n; ++v)
        for (k = 0; k < rlen[v]; k++) {
            u = radj[v][k];
            b[v] += a[u] * rcost[v][k];
        }
}
