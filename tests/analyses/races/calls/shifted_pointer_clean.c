// s2s: explain -- -fopenmp
// all: [race]
// A call of itself for a part behind the first element says nothing of that element.

static void __attribute__((noinline)) tail(double *a, int n)
{
    if (n < 9) { a[0] = n; return; }
    tail(a + 1, n - 1);
}
void f(double *p, int n, int m)
{
#pragma omp parallel
#pragma omp single
    {
#pragma omp task
        tail(p, n);
#pragma omp task
        tail(p, m);
    }
}
