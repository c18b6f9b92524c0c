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
        for (int i = 1 + id; i <= n; i = i + size)
            a[i] = i; // warning: data race on 'a': nothing orders these accesses
        for (int i = 1 + id; i <= n; i = i + size)
            b[i] = a[n - 1 - i]; // note: the other access is here
    }
}
