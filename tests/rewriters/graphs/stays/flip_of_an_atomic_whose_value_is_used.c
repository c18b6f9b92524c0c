// s2s: --passes=graph:flip=pull -- -fopenmp
// stays

void f(long n, const long *off, const long *nbr, const long *w, const long *back, const long *from, const long *bw, long *restrict a, long *restrict b, long *restrict c)
{
#pragma s2s graph vertices(n) out(off, nbr, w) in(back, from, bw)
#pragma omp parallel for
for (long v = 0; v < n; v++)
    for (long e = off[v]; e < off[v + 1]; e++) {
        long old;
#pragma omp atomic capture
        old = b[nbr[e]]++; // missed: not flipped: the value of an atomic is used
        c[v] += old;
    }
}
