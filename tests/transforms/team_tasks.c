#pragma omp parallelCLAUSES
#pragma omp single
    for (int t = 0; t < T; t++) {
        c[t] = 0.5 * c[t] + 1.0;
        for (int i = 1; i < n; i++) {
#pragma omp task depend(inout: a[i])
            a[i] = 0.5 * a[i] + c[t];
        }
        for (int i = 1; i < n; i++) {
#pragma omp task depend(inout: b[i])
            b[i] = 0.25 * b[i] + c[t];
        }
#pragma omp taskwait
        for (int i = 1; i < n; i++) {
#pragma omp task
            d[i] += a[i - 1] * b[n - i];
        }
#pragma omp taskwait
    }
