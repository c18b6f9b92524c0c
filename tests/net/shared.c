void sweep(int n, int steps, float (*restrict u)[n], float (*restrict v)[n])
{
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for
        for (int i = 1; i < n - 1; i++)
            for (int k = 1; k < n - 1; k++)
                v[i][k] = 0.3f * (u[i - 1][k] + u[i + 1][k] + u[i][k - 1]);
#pragma omp parallel for
        for (int i = 1; i < n - 1; i++)
            for (int k = 1; k < n - 1; k++)
                u[i][k] = v[i][k] + v[i + 1][k];
    }
}
