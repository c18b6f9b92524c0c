// s2s: --passes hoist -- -O2 -fopenmp
// stays
// Each thread walks along its part of a row; with 'j' outside it would walk across all rows.
void sweep(int n, int m, double a[n][m])
{
#pragma omp parallel // missed: the shared loop is the innermost one
    for (int i = 1; i < n; i++) {
#pragma omp for
        for (int j = 0; j < m; j++)
            a[i][j] = 0.5 * a[i - 1][j] + 1.0;
    }
}
