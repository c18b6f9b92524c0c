// s2s: explain -- -fopenmp
// all: [race]

int omp_get_thread_num(void);
int omp_get_num_threads(void);

void f(int n, double *a, double *b)
{
#pragma omp parallel
    {
        int id = omp_get_thread_num();
        int size = omp_get_num_threads();
        for (int i = id; i < n; i += size)
            a[i] = i;
#pragma omp barrier
        for (int i = id; i < n; i += size)
            b[i] = a[n - 1 - i];
    }
}
