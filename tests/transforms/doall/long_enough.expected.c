/* A loop alone is done in vectors; a nest is none because a statement stands before its loops. */
void scale(const double *restrict a, double *restrict b, int n)
{
    {
        /* s2s: parallel loop over 'i' */
#ifdef _OPENMP
        extern int omp_get_max_threads(void);
        const int s2s_threads = omp_get_max_threads();
#else
        const int s2s_threads = 1;
#endif
        if (n >= 1 && n >= 32768L * s2s_threads) {
#pragma omp parallel for
            for (int i = 0; i < n; i++) {
                b[i] = a[i] * 2;
            }
        } else {
    for (int i = 0; i < n; i++) b[i] = a[i] * 2;
        }
    }
}

void sums(const double *restrict a, double *restrict s, int n, int m)
{
    {
        /* s2s: parallel loop over 'i' */
#ifdef _OPENMP
        extern int omp_get_max_threads(void);
        const int s2s_threads = omp_get_max_threads();
#else
        const int s2s_threads = 1;
#endif
        if (n >= 1 && m >= 1 && n >= 2L * s2s_threads && (double)n * m >= 8192.0 * s2s_threads) {
#pragma omp parallel for
            for (int i = 0; i < n; i++) {
                s[i] = 0;
                for (int j = 0; j < m; j++) {
                    s[i] += a[i * m + j] > 0 ? a[i * m + j] : s[i] * 0.5;
                }
            }
        } else {
    for (int i = 0; i < n; i++) {
        s[i] = 0;
        for (int j = 0; j < m; j++) s[i] += a[i * m + j] > 0 ? a[i * m + j] : s[i] * 0.5;
    }
        }
    }
}
