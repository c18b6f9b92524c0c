// s2s: explain -- -fopenmp
// all: [race]

int a[100], b[100], c[100][100];
void f(int n)
{

#pragma omp parallel
        {
            a[0] = n; // warning: data race on 'a': nothing orders these accesses // note: the other access is here
        }

}
