void scale(int n, int m, double **rows, const double *by)
{
#pragma omp parallel for
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++)
            rows[i][j] = rows[i][j] * by[j];
}
