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
    fib(n - 1, &x); // warning: data race on 'x': nothing orders these accesses
#pragma omp task shared(y)
    fib(n - 2, &y); // warning: data race on 'y': nothing orders these accesses
    *result = x + y; // note: the other access is here
}
