void sweep(int n, int m, int T, double (*u)[m], double (*v)[m])
{
    for (int t = 0; t < T; t++) {
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                u[i][j] = 0.5 * u[i][j] + v[i][j];
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                v[i][j] = 0.25 * u[i][j];
    }
}
