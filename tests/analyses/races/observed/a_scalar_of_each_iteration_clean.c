// s2s: explain -- -fopenmp
// all: [race]

int omp_get_thread_num(void);
int omp_get_num_threads(void);

void f(int n, int *a)
{
    int i, t;
#pragma omp parallel for private(t)
    for (i = 0; i < n; i++) {
        t = a[i];
        a[i] = t + 1;
    }
}
