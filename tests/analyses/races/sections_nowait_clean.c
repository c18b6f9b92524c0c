// s2s: explain -- -fopenmp
// all: [race]

int a[100], b[100], c[100][100];
void f(int n)
{

#pragma omp parallel
        {
#pragma omp sections
            {
                for (int i = 0; i < n; i++)
                    a[i] = i;
#pragma omp section
                for (int i = 0; i < n; i++)
                    c[0][i] = i;
            }
#pragma omp for
            for (int i = 0; i < n; i++)
                b[i] = a[i];
        }

}
