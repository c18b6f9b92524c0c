// s2s: explain -- -fopenmp
// all: [race]

int a[100], b[100], c[100][100];
void f(int n)
{

#pragma omp parallel
#pragma omp single
#pragma omp taskloop collapse(2) grainsize(2)
        for (int i = 1; i < n; i++)
            for (int j = 1; j < n; j++)
                c[i][j] = c[i][j - 1] + 1; // warning: data race on 'c': nothing orders these accesses // note: the other access is here

}
