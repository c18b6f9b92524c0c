struct csr { long n; const long *off, *nbr, *w, *back, *from, *bw; long *dist, *best; };
#pragma s2s graph vertices(csr.n) out(csr.off, csr.nbr, csr.w) in(csr.back, csr.from, csr.bw)
static void csr_pull(const struct csr *g)
{
    long *restrict dist = g->dist, *restrict best = g->best;
    const long n = g->n;
#pragma omp parallel for schedule(dynamic, 4)
    for (long v = 0; v < n; v++)
        for (long e = g->back[v]; e < g->back[v + 1]; e++)
            if (dist[g->from[e]] + g->bw[e] < best[v])
                best[v] = dist[g->from[e]] + g->bw[e];
}
