    long reached = 1;
    for (long level = 0; reached && level < n; level++) {
        reached = 0;
#pragma omp parallel for
        for (long v = 0; v < n; v++)
            if (a[v] > 10)
                for (long e = back[v]; e < back[v + 1]; e++)
                    if (a[from[e]] == level) { b[v] = level + 1; break; }
#pragma omp parallel for reduction(+ : reached)
        for (long v = 0; v < n; v++) {
            reached += a[v] != b[v];
            a[v] = b[v];
        }
    }
