// s2s: explain -- -fopenmp
// all: [race]

static double total;
static void __attribute__((noinline)) work(double *a, int n) { for (int i = 1; i <= n; i++) a[i] = 1.0; }
void two(int n, int m, double *p, double *q, const int *index)
{
#pragma omp parallel
#pragma omp single
    {

#pragma omp task
        work(p, 0);

#pragma omp task
        work(p, 0);
    }
}
