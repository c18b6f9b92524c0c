// s2s: explain -- -fopenmp
// all: [race]

int a[100], b[100], c[100][100];
void f(int n)
{

#pragma omp parallel
#pragma omp single
        for (int i = 1; i < n; i++) {
#pragma omp task depend(out: a[i]) depend(in: a[i - 1])
            a[i] = a[i - 1] + 1;
        }

}
