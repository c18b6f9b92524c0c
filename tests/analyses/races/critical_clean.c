// s2s: explain -- -fopenmp
// all: [race]

int a[100], b[100], c[100][100];
void f(int n)
{

#pragma omp parallel for
        for (int i = 0; i < n; i++) {
#pragma omp critical
            a[0] += i;
        }

}
