// pragmas that name variables
void f(int n, double a[n][n], int threads) {
    double total = 0; int i, j;
#pragma omp parallel for reduction(+ : total) private(j) num_threads(threads)
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++)
            total += a[j][i];
}
