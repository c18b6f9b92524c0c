#pragma s2s graph vertices(n) out(off, nbr, w) in(back, from, bw)
void f(long n, const long *off, const long *nbr, const long *w, const long *back,
       const long *from, const long *bw, long *restrict a, long *restrict b, long *restrict c) {
#pragma omp parallel for
    for (long v = 0; v < n; v++)
        for (long e = back[v]; e < back[v + 1]; e++)
            b[v] += a[from[e]] * bw[e];
#pragma omp parallel for
    for (long v = 0; v < n; v++)
        c[v] = b[v] + 1;
}
