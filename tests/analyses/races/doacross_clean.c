// s2s: explain -- -fopenmp
// all: [race]

int a[100], b[100], c[100][100];
void f(int n)
{

#pragma omp parallel for ordered(2)
        for (int i = 1; i < n; i++)
            for (int j = 1; j < n; j++) {
#pragma omp ordered depend(sink: i - 1, j)
                c[i][j] = c[i - 1][j] + c[i][j - 1];
#pragma omp ordered depend(source)
            }

}
