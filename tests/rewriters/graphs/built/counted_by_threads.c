#pragma omp parallel for
for (long e = 0; e < m; e++) {
#pragma omp atomic
    first[src[e] + 1]++;
#pragma omp atomic
    begin[dst[e] + 1]++;
}
