// s2s: explain -- -fopenmp
// all: [race]

int mine, other;
#pragma omp threadprivate(mine)
void f(void)
{
#pragma omp parallel
    mine = mine + 1;
}
