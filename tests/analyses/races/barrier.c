// s2s: explain -- -fopenmp
// all: [race]

int a[100], b[100], c[100][100];
void f(int n)
{

#pragma omp parallel
        {
#pragma omp for nowait schedule(dynamic)
            for (int i = 0; i < n; i++)
                a[i] = i; // warning: data race on 'a': nothing orders these accesses

#pragma omp for
            for (int i = 0; i < n; i++)
                b[i] = a[n - 1 - i]; // note: the other access is here
        }

}
