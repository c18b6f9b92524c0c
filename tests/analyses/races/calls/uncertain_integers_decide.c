// s2s: explain -- -fopenmp
// all: [race]

static double total;
static void __attribute__((noinline)) work(double *a, int n) { for (int i = n; i < n + 9; i++) a[i] = 1.0; }
void two(int n, int m, double *p, double *q, const int *index)
{
#pragma omp parallel
#pragma omp single
    {

#pragma omp task
        work(p, n);

#pragma omp task
        work(p, m);
    }
}
