#pragma omp parallel for private(k) reduction(+:sum) schedule(static)
    for (j = 1; j <= m; j++) {
        sum = 0.0;
        for (k = 0; k <= n; k++) {
            sum += w[k][j] * in[k];
        }
        out[j] = squash(sum);
    }
#pragma omp parallel for private(k, change) firstprivate(n, m)
    for (j = 1; j <= m; j++) {
        for (k = 0; k <= n; k++) {
            change = 0.3 * out[j] * in[k] + 0.25 * old[k][j];
            w[k][j] += change;
            old[k][j] = change;
        }
    }
