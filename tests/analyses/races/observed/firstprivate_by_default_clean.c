// s2s: explain -- -fopenmp
// all: [race]

int omp_get_thread_num(void);
int omp_get_num_threads(void);

void f(int n, int *a)
{
    for (int i = 0; i < n; i++) {
        int t = i;
#pragma omp task firstprivate(a)
        a[i] = t;
    }
#pragma omp taskwait
    a[0] = a[1];
}
