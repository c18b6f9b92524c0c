struct grid { double **rows; };
void scale(int n, int m, struct grid *g, const double *by)
{
#pragma omp parallel for
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++)
            g->rows[i][j] = g->rows[i][j] * by[j];
}
