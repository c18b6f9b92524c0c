// s2s: --passes=graph:flip=no -- -fopenmp
// stays

void f(long n, const long *off, const long *nbr, const long *w, const long *back, const long *from, const long *bw, long *restrict a, long *restrict b, long *restrict c)
{
#pragma s2s graph vertices(n) out(off, nbr, w) in(back, from, bw)
#pragma omp parallel for
for (long v = 0; v < n; v++)
    for (long e = back[v]; e < back[v + 1]; e++)
        b[v] += a[from[e]];
#pragma omp parallel for
for (long v = 0; v < n; v++)
    a[v] = c[v]; // missed: not fused: the later loop writes 'a' that other iterations of the earlier one read
}
