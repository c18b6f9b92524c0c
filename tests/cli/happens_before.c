struct row { double *values; int length; };
void scale(int n, int m, struct row *rows, const double *by)
{
#pragma omp parallel for
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++)
            rows[i].values[j] = rows[i].values[j] * by[j];
}
