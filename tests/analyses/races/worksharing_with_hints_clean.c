// s2s: explain -- -fopenmp
// all: [race]

int a[100], b[100], c[100][100];
void f(int n)
{

#pragma omp parallel for order(concurrent) allocate(n)
        for (int i = 1; i < n; i++) {
            a[i] = b[i - 1] + 1;
        }

}
