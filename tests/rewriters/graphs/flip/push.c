#pragma omp parallel for
for (long u = 0; u < n; u++)
    for (long e = off[u]; e < off[u + 1]; e++) {
        UPDATE
    }
