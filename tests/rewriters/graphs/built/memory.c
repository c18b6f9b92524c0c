long m = off[n], room = 6 * m * (n + 2) + n + 8, sum = 0;
long *src = calloc(room, sizeof *src), *dst = calloc(room, sizeof *dst);
long *wt = calloc(room, sizeof *wt), *one = calloc(n + 1, sizeof *one);
long *other = calloc(n + 1, sizeof *other), *to = calloc(room, sizeof *to);
long *by = calloc(room, sizeof *by), *cost = calloc(room, sizeof *cost);
long *price = calloc(room, sizeof *price);
long *p = calloc(n, sizeof *p), *q = calloc(n, sizeof *q);
for (long v = 0; v < n; v++)
    for (long e = off[v]; e < off[v + 1]; e++) { src[e] = v; dst[e] = nbr[e]; wt[e] = w[e] & 7; }
