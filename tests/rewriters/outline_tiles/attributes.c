// s2s: --passes=panels:vector=16 --force -- -O3
// text x2: tile_0(
// text x2: held along 'k'
/* What is declared of a function stays with it. */
#define EXPORTED __attribute__((visibility("default")))
EXPORTED

void above(int n, double (*restrict a)[90], double (*restrict b)[90], double (*restrict c)[90])
{
    // remark: operands in panels [panels]
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                c[i][j] += a[i][k] * b[k][j];
}

/* Its vectors are not those of the file. */
__attribute__((optimize("O2"))) void special(
    int n, double (*restrict a)[90], double (*restrict b)[90], double (*restrict c)[90])
{
    // remark: operands in panels [panels]
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                c[i][j] += a[i][k] * b[k][j];
}
