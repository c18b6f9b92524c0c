// s2s: explain -- -fopenmp
// all: [race]

static void fill(double *a, int n)
{
    for (int i = 0; i < n; i++) a[i] = i;
}
void f(int n, double *p)
{
#pragma omp parallel
    fill(p, n); // warning: data race on 'p': nothing orders these accesses // note: the other access is here
}
