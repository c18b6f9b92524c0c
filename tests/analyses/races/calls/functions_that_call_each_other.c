// s2s: explain -- -fopenmp
// all: [race]

static void even(long *a, int n);
static void odd(long *a, int n)
{
    if (n < 9) { for (int i = 0; i < n; i++) a[i]++; }
    else even(a, n - 1);
}
static void even(long *a, int n)
{
    if (n == 0)
        return;
    if (n < 8) { int i = 0; while (i < n) { i++; } a[0]--; }
    else odd(a, n - 1);
}
void both(long *a, int n)
{
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(inout: a)
        even(a, n); // warning: data race on 'a': nothing orders these accesses
#pragma omp task
        even(a, n); // note: the other access is here
    }
}
