long m = off[n];
long *begin = calloc(n + 1, sizeof(long)), *by = malloc((m + 1) * sizeof(long));
long *price = malloc((m + 1) * sizeof(long)), *at = malloc(n * sizeof *at);
for (long v = 0; v < n; v++)
    for (long e = off[v]; e < off[v + 1]; e++)
        begin[nbr[e] + 1]++;
for (long v = 0; v < n; v++) begin[v + 1] += begin[v];
memcpy(at, begin, n * sizeof(long));
for (long u = 0; u < n; u++)
    for (long e = off[u]; e < off[u + 1]; e++) {
        long k = at[nbr[e]]++; by[k] = u; price[k] = w[e];
    }
