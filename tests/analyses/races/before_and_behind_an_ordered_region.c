// s2s: explain -- -fopenmp
// all: [race]

int a[100], b[100], c[100][100];
void f(int n)
{

#pragma omp parallel for ordered
        for (int i = 1; i < n; i++) {
            b[i] = i; // note: the other access is here
#pragma omp ordered
            a[i] = a[i - 1] + b[i];
            c[0][i] = b[i + 1]; // warning: data race on 'b': nothing orders these accesses
        }

}
