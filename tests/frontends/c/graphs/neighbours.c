void f(int n, int *off, int *nbr, long *t)
{
#pragma omp parallel for
    for (int v = 0; v < n; v++)
        for (int e = off[v]; e < off[v + 1]; e++)
            for (int d = off[nbr[e]]; d < off[nbr[e] + 1]; d++)
                t[nbr[d]]++;
}
