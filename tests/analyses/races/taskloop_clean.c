// s2s: explain -- -fopenmp
// all: [race]

int a[100], b[100], c[100][100];
void f(int n)
{

#pragma omp parallel
#pragma omp single
#pragma omp taskloop num_tasks(4)
        for (int i = 1; i < n; i++)
            a[i] = b[i - 1] + 1;

}
