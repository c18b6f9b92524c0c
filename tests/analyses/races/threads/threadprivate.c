// s2s: explain -- -fopenmp
// all: [race]

int mine, other;
#pragma omp threadprivate(other)
void f(void)
{
#pragma omp parallel
    mine = mine + 1; // warning: data race on 'mine': nothing orders these accesses // note: the other access is here
}
