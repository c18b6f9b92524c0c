// s2s: explain -- -fopenmp
// all: [race]

int fib(int n)
{
    int a, b;
    if (n < 2) return n;
#pragma omp task shared(a)
    a = fib(n - 1); // warning: data race on 'a': nothing orders these accesses
    b = fib(n - 2);

    return a + b; // note: the other access is here
}
int f(int n)
{
    int result;
#pragma omp parallel
#pragma omp single
    result = fib(n);
    return result;
}
