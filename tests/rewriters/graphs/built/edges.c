long m = off[n];
long *src = malloc((m + 1) * sizeof *src), *dst = malloc((m + 1) * sizeof *dst);
long *wt = malloc((m + 1) * sizeof(long));
for (long v = 0; v < n; v++)
    for (long e = off[v]; e < off[v + 1]; e++) { src[e] = v; dst[e] = nbr[e]; wt[e] = w[e]; }
