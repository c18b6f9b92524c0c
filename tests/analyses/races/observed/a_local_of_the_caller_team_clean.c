// s2s: explain -- -fopenmp
// all: [race]

double factor;

void each_thread_has_its_own(int n, double *a, double *b)
{
    double t;
    int i, j;
    for (j = 0; j < n; j++) {
#pragma omp for
        for (i = 0; i < n; i++) {
            t = factor * a[i];
            b[i] = t + t;
        }
    }
}
