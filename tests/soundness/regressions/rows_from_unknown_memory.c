// s2s: --force --parallel
// all: remark
/* Pascal's triangle in memory that a function without a declaration gives. */
int **triangle(int n, int **sizes)
{
    int **rows = (int **)malloc(n * sizeof(int *));
    *sizes = (int *)malloc(n * sizeof(int));
    // remark: parallel loop over 'i' [doall]
    for (int i = 0; i < n; i++) {
        (*sizes)[i] = i + 1;
        rows[i] = (int *)malloc((i + 1) * sizeof(int));
    }
    rows[0][0] = 1;
    // remark: parallel loop over 'j' [doall]
    for (int i = 1; i < n; i++) {
        rows[i][0] = 1;
        for (int j = 1; j < i; j++) rows[i][j] = rows[i - 1][j - 1] + rows[i - 1][j];
        rows[i][i] = 1;
    }
    return rows;
}
