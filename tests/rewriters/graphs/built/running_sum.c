long *p = calloc(n, sizeof *p), *q = calloc(n, sizeof *q), sum = 0;
for (long e = 0; e < m; e++) { p[src[e]]++; q[dst[e]]++; }
for (long v = 0; v < n; v++) { first[v] = sum; sum += p[v]; p[v] = first[v]; }
first[n] = sum;
sum = 0;
for (long v = 0; v < n; v++) { long had = q[v]; begin[v] = q[v] = sum; sum += had; }
begin[n] = m;
