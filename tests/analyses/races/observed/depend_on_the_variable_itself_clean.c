// s2s: explain -- -fopenmp
// all: [race]

int omp_get_thread_num(void);
int omp_get_num_threads(void);

static int pair(int n)
{
    int x, y;
#pragma omp task shared(x) depend(out: x)
    x = n;
#pragma omp task shared(x, y) depend(in: x) depend(out: y)
    y = x;
#pragma omp taskwait
    return y;
}
