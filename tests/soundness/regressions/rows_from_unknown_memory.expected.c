/* Pascal's triangle in memory that a function without a declaration gives. */
int **triangle(int n, int **sizes)
{
    int **rows = (int **)malloc(n * sizeof(int *));
    *sizes = (int *)malloc(n * sizeof(int));

    {
        /* s2s: parallel loop over 'i' */
        if (/* sizes for which this is right */
            n >= 1
            /* 'rows' and 'sizes' do not overlap */
            && ((const char *)(rows + n) <= (const char *)sizes
                || (const char *)(sizes + 1) <= (const char *)rows)) {
#pragma omp parallel for
            for (int i = 0; i < n; i++) {
                (*sizes)[i] = i + 1;
                rows[i] = (int *)malloc((i + 1) * sizeof(int));
            }
        } else {
    for (int i = 0; i < n; i++) {
        (*sizes)[i] = i + 1;
        rows[i] = (int *)malloc((i + 1) * sizeof(int));
    }
        }
    }
    rows[0][0] = 1;

    {
        /* s2s: parallel loop over 'j' */
        int s2s_often = n >= 2;
        if (s2s_often) {
            /* rows of 'rows' do not overlap */
            const long s2s_rows_step = rows[(long)n - 1] < rows[1] ? -1 : 1,
                       s2s_rows_first = s2s_rows_step < 0 ? (long)n - 1 : 1;
            for (long s2s_i = 1; s2s_often && s2s_i < ((long)n - 1); s2s_i++) {
                s2s_often =
                        (const char *)(rows[
                                           s2s_rows_first
                                           + s2s_rows_step * (s2s_i - 1)] + n)
                        <= (const char *)rows[
                               s2s_rows_first + s2s_rows_step * s2s_i];
            }
        }
        if (s2s_often) {
#pragma omp parallel
            for (int i = 1; i < n; i++) {
#pragma omp barrier
#pragma omp single nowait
                {
                    rows[i][0] = 1;
                }
#pragma omp for nowait
                for (int j = 1; j < i; j++) {
                    rows[i][j] = rows[i - 1][j - 1] + rows[i - 1][j];
                }
#pragma omp single nowait
                {
                    rows[i][i] = 1;
                }
            }
        } else {
    for (int i = 1; i < n; i++) {
        rows[i][0] = 1;
        for (int j = 1; j < i; j++) rows[i][j] = rows[i - 1][j - 1] + rows[i - 1][j];
        rows[i][i] = 1;
    }
        }
    }
    return rows;
}
