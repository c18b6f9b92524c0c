/* A loop alone is done in vectors, which take fewer cycles; a nest is none because a statement stands before its loops. */
void scale(const double *restrict a, double *restrict b, int n)
{
    {
        /* s2s: parallel loop over 'i' */
#ifdef _OPENMP
        extern int omp_get_max_threads(void);
        const int s2s_threads = n >= 458752L ? omp_get_max_threads() : 1;
#else
        const int s2s_threads = 1;
#endif
        if (n >= 1 && s2s_threads > 1 && n >= 229376L * s2s_threads) {
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
        const int s2s_threads = n >= 4L && (double)n * m >= 65456.0 ? omp_get_max_threads() : 1;
#else
        const int s2s_threads = 1;
#endif
        if (/* sizes for which this is right, and gains */
            n >= 1 && m >= 1
            /* enough for each thread */
            && s2s_threads > 1
            && n >= 2L * s2s_threads
            && (double)n * m >= 32728.0 * s2s_threads) {
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
