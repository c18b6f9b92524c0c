// s2s: explain -- -fopenmp
// all: [race]

int omp_get_thread_num(void);
int omp_get_num_threads(void);

void f(int n, int *a, int *b)
{
#pragma omp for
    for (int i = 0; i < n; i++)
        a[i] = i;
}
