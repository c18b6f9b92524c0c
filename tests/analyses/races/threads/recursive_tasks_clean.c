// s2s: explain -- -fopenmp
// all: [race]

int fib(int n)
{
    int a, b;
    if (n < 2) return n;
#pragma omp task shared(a)
    a = fib(n - 1);
    b = fib(n - 2);
#pragma omp taskwait
    return a + b;
}
int f(int n)
{
    int result;
#pragma omp parallel
#pragma omp single
    result = fib(n);
    return result;
}
