// s2s: explain -- -fopenmp
// all: [race]

static void __attribute__((noinline)) tail(double *a, int n)
{
    if (n < 9) { a[0] = n; return; }
    tail(a, n - 1);
}
void f(double *p, int n, int m)
{
#pragma omp parallel
#pragma omp single
    {
#pragma omp task
        tail(p, n); // warning: data race on 'p': nothing orders these accesses
#pragma omp task
        tail(p, m); // note: the other access is here
    }
}
