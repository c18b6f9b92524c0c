// s2s: explain -- -fopenmp
// all: [race]

struct pair { int a, b; } shared;
void f(void)
{
#pragma omp parallel sections
    {
#pragma omp section
        shared.a = 1;
#pragma omp section
        shared.b = 2;
    }
}
