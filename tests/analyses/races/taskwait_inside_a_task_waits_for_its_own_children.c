// s2s: explain -- -fopenmp
// all: [race]

int a[100], b[100], c[100][100];
void f(int n)
{

#pragma omp parallel
#pragma omp single
        {
#pragma omp task
            a[0] = 1; // warning: data race on 'a': nothing orders these accesses
#pragma omp task
            {
#pragma omp taskwait
                b[0] = a[0]; // note: the other access is here
            }
        }

}
