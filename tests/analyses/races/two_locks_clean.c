// s2s: explain -- -fopenmp
// all: [race]

int a[100], b[100], c[100][100];
void f(int n)
{

#pragma omp parallel for
        for (int i = 1; i < n; i++) {
#pragma omp critical (one)
            a[0] += i;
#pragma omp critical (one)
            a[0] += b[i];
        }

}
