// s2s: explain -- -fopenmp
// all: [race]

int omp_get_thread_num(void);
int omp_get_num_threads(void);

int total;
void f(int n, int *a)
{
#pragma omp parallel
    {
        int own = 0;
        own = n;
#pragma omp critical
        total += own;
    }
}
