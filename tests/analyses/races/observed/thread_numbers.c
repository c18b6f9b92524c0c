// s2s: explain -- -fopenmp
// all: [race]

int omp_get_thread_num(void);
int omp_get_num_threads(void);

int number;
void f(void)
{
#pragma omp parallel
    {
        if (omp_get_thread_num() == 0)
            number = 1; // warning: data race on 'number': nothing orders these accesses
        number + 1; // note: the other access is here
    }
}
