// s2s: explain -- -fopenmp
// all: [race]

int a[100], b[100], c[100][100];
void f(int n)
{

#pragma omp parallel
        {
#pragma omp master
            for (int i = 0; i < n; i++)
                a[i] = i; // warning: data race on 'a': nothing orders these accesses

#pragma omp for
            for (int i = 0; i < n; i++)
                b[i] = a[i]; // note: the other access is here
        }

}
