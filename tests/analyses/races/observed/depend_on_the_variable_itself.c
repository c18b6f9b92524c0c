// s2s: explain -- -fopenmp
// all: [race]

int omp_get_thread_num(void);
int omp_get_num_threads(void);

static int pair(int n)
{
    int x, y;
#pragma omp task shared(x) depend(out: x)
    x = n; // warning: data race on 'x': nothing orders these accesses
#pragma omp task shared(x, y) depend(in: y) depend(out: y)
    y = x; // note: the other access is here
#pragma omp taskwait
    return y;
}
