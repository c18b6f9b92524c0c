// s2s: explain -- -fopenmp
// all: [race]

static void fib(int n, int *result)
{
    int x, y;
    if (n < 2) {
        *result = n;
        return;
    }
#pragma omp task shared(x)
    fib(n - 1, &x);
#pragma omp task shared(y)
    fib(n - 2, &y);
#pragma omp taskwait
    *result = x + y;
}
