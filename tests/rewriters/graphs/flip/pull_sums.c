static void pull(long n, const long *off, const long *nbr, const long *w,
    const long *back, const long *from, const long *bw, long *x, const long *y, const long *z)
{
#pragma s2s graph vertices(n) out(off, nbr, w) in(back, from, bw)
    for (long v = 0; v < n; v++)
        for (long e = back[v]; e < back[v + 1]; e++)
            if (y[from[e]] - *z < x[v]) x[v] = y[from[e]] - *z;
}
