// s2s: explain -- -fopenmp
// all: [race]

struct pair { int a, b; } shared;
void f(void)
{
#pragma omp parallel sections
    {
#pragma omp section
        shared.a = 1; // warning: data race on 'shared.a': nothing orders these accesses // warning: data race on 'shared': nothing orders these accesses of different threads
#pragma omp section
        shared.a = 2; // note: the other access is here
    }
}
