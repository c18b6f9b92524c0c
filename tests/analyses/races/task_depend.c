// s2s: explain -- -fopenmp
// all: [race]

int a[100], b[100], c[100][100];
void f(int n)
{

#pragma omp parallel
#pragma omp single
        for (int i = 1; i < n; i++) {
#pragma omp task depend(out: a[i])
            a[i] = a[i - 1] + 1; // warning: data race on 'a': nothing orders these accesses // note: the other access is here
        }

}
