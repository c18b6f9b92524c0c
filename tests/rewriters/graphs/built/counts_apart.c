long *p = calloc(n, sizeof *p), *q = calloc(n, sizeof *q);
for (long e = 0; e < m; e++) p[src[e]]++, q[dst[e]]++;
first[0] = begin[0] = 0;
for (long v = 0; v < n; v++) {
    first[v + 1] = first[v] + p[v];
    begin[v + 1] = begin[v] + q[v];
}
memcpy(p, first, n * sizeof *p);
memcpy(q, begin, n * sizeof(long));
