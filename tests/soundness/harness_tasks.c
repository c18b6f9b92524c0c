#pragma omp parallel
#pragma omp single
    for (int t = 0; t < T; t++) {
        for (int i = 1; i < n - 1; i++) {
#pragma omp task depend(in: v[i - 1], v[i], v[i + 1]) depend(out: u[i])
            for (int j = 1; j < m - 1; j++)
                if (v[i][j] < 0.9) u[i][j] = 0.25 * (v[i-1][j] + v[i+1][j] + v[i][j-1] + v[i][j+1]);
        }
        for (int i = 1; i < n - 1; i++) {
#pragma omp task depend(in: u[i - 1], u[i]) depend(inout: v[i])
            for (int j = 1; j < m - 1; j++)
                if (u[i][j] > 0.1) v[i][j] = u[i][j] + 0.01 * u[i-1][j];
        }
    }
