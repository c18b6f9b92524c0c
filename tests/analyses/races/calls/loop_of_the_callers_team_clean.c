// s2s: explain -- -fopenmp
// all: [race]
// A worksharing loop in a callee belongs to the team that calls it.

static void fill(double *a, int n)
{
#pragma omp for
    for (int i = 0; i < n; i++) a[i] = i;
}
void f(int n, double *p)
{
#pragma omp parallel
    fill(p, n);
}
