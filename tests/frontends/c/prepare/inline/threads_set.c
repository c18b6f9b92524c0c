#include <omp.h>
int threads;
void g(int m, double *x) {
    for (int t = 2; t < m; t++) {
        omp_set_num_threads(threads);
        #pragma omp parallel for
        for (int i = 0; i < m; i++) x[i] += t;
        omp_set_num_threads(threads);
    }
}

