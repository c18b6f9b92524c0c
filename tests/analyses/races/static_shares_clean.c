// s2s: explain -- -fopenmp
// all: [race]

int a[100], b[100], c[100][100];
void f(int n)
{

#pragma omp parallel
        {
#pragma omp for nowait schedule(static)
            for (int i = 0; i < n; i++)
                a[i] = i;
#pragma omp for schedule(static)
            for (int i = 1; i < n + 1; i++)
                b[i] = a[i - 1];
        }

}
