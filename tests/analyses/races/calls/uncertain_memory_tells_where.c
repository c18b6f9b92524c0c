// s2s: explain -- -fopenmp
// all: [race]

static double total;
static void __attribute__((noinline)) work(double *a, const int *at) { a[*at] = 1.0; }
void two(int n, int m, double *p, double *q, const int *index)
{
#pragma omp parallel
#pragma omp single
    {

#pragma omp task
        work(p, index);

#pragma omp task
        work(p, index);
    }
}
