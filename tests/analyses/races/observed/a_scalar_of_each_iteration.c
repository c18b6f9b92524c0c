// s2s: explain -- -fopenmp
// all: [race]

int omp_get_thread_num(void);
int omp_get_num_threads(void);

void f(int n, int *a)
{
    int i, t;
#pragma omp parallel for
    for (i = 0; i < n; i++) {
        t = a[i]; // warning: data race on 't': nothing orders these accesses // note: the other access is here
        a[i] = t + 1; // note: the other access is here
    }
}
