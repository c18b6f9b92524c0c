// s2s: explain -- -fopenmp
// all: [race]

int omp_get_thread_num(void);
int omp_get_num_threads(void);

static int count;
void f(int n, int *a)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        count = i; // warning: data race on 'count': nothing orders these accesses // note: the other access is here
        a[i] = count; // note: the other access is here
    }
}
