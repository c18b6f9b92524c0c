// s2s: --parallel --passes=doall -- -O2 -fopenmp
// text: n >= 229376L * s2s_threads
// text: (double)n * m >= 32728.0 * s2s_threads
/* A loop alone is done in vectors, which take fewer cycles; a nest is none because a statement stands before its loops. */
void scale(const double *restrict a, double *restrict b, int n)
{
    for (int i = 0; i < n; i++) b[i] = a[i] * 2;
}

void sums(const double *restrict a, double *restrict s, int n, int m)
{
    for (int i = 0; i < n; i++) {
        s[i] = 0;
        for (int j = 0; j < m; j++) s[i] += a[i * m + j] > 0 ? a[i * m + j] : s[i] * 0.5;
    }
}
