/* A local that is one number has few iterations for sure; one that others set may have many. */

void known(double *w)
{
    int n = 100;
    for (int i = 0; i < n; i++)
        w[i] = w[i] * 2 + 1;
}

void set_by_an_instruction(double *w)
{
    int n = 100;
    __asm__("" : "+r"(n));
    {
        /* s2s: parallel loop over 'i' */
#ifdef _OPENMP
        extern int omp_get_max_threads(void);
        const int s2s_threads = n >= 655360L ? omp_get_max_threads() : 1;
#else
        const int s2s_threads = 1;
#endif
        if (n >= 1 && s2s_threads > 1 && n >= 327680L * s2s_threads) {
#pragma omp parallel for
            for (int i = 0; i < n; i++) {
                w[i] = w[i] * 2 + 1;
            }
        } else {
    for (int i = 0; i < n; i++)
        w[i] = w[i] * 2 + 1;
        }
    }
}

void set_elsewhere(double *w, int many)
{
    int n = 100;
    if (many)
        n = 1000000;
    {
        /* s2s: parallel loop over 'i' */
#ifdef _OPENMP
        extern int omp_get_max_threads(void);
        const int s2s_threads = n >= 655360L ? omp_get_max_threads() : 1;
#else
        const int s2s_threads = 1;
#endif
        if (n >= 1 && s2s_threads > 1 && n >= 327680L * s2s_threads) {
#pragma omp parallel for
            for (int i = 0; i < n; i++) {
                w[i] = w[i] * 2 + 1;
            }
        } else {
    for (int i = 0; i < n; i++)
        w[i] = w[i] * 2 + 1;
        }
    }
}
