#pragma omp parallel for
for (long v = 0; v < n; v++)
    for (long e = back[v]; e < back[v + 1]; e++) {
        const long u = from[e];
        UPDATE
    }
