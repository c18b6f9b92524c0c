// s2s: explain -- -fopenmp
// all: [race]

int a[100], b[100], c[100][100];
void f(int n)
{

#pragma omp parallel
        {
#pragma omp single
            {
#pragma omp task
                a[0] = 1;
            }
#pragma omp single
            {
#pragma omp taskwait
                b[0] = a[0];
            }
        }

}
