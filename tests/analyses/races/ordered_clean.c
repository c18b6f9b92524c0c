// s2s: explain -- -fopenmp
// all: [race]

int a[100], b[100], c[100][100];
void f(int n)
{

#pragma omp parallel for ordered
        for (int i = 1; i < n; i++) {
#pragma omp ordered
            {
                a[i] = a[i - 1] + 1;
            }
        }

}
