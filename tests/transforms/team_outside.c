    for (int t = 0; t < T; t++) {
        c[t] = VALUE;
#pragma omp parallel for
        for (int i = 1; i < n; i++)
            a[i] = 0.5 * a[i] + c[t];
    }
