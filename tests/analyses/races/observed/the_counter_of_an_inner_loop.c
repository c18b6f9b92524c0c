// s2s: explain -- -fopenmp
// all: [race]

int omp_get_thread_num(void);
int omp_get_num_threads(void);

void f(int n, int a[n][n])
{
    int i, j;
#pragma omp parallel for
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++) // warning: data race on 'j': nothing orders these accesses // note: the other access is here
            a[i][j] = 0;
}
