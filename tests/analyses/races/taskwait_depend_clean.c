// s2s: explain -- -fopenmp
// all: [race]

int a[100], b[100], c[100][100];
void f(int n)
{

#pragma omp parallel
#pragma omp single
        {
#pragma omp task depend(out: a[0])
            a[0] = 1;
#pragma omp taskwait depend(in: a[0])
            b[0] = a[0];
        }

}
