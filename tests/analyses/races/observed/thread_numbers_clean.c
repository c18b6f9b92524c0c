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
            number = 1;
#pragma omp barrier
        number + 1;
    }
}
