// s2s: explain -- -fopenmp
// all: [race]

static double total;
static void __attribute__((noinline)) locked(double *a) { a[0] += 1.0; }
void lock(void);
static void work(double *a) { lock(); locked(a); }
void two(int n, int m, double *p, double *q, const int *index)
{
#pragma omp parallel
#pragma omp single
    {

#pragma omp task
        work(p);

#pragma omp task
        work(p);
    }
}
