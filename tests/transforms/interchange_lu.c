void lu(int n, float a[n][n])
{
    int i, j, k;
    float sum;
    for (i = 0; i < n; i++) {
#pragma omp parallel for private(j, k, sum) default(none) shared(a, n, i)
        for (j = i; j < n; j++) {
            sum = a[i][j];
            for (k = 0; k < i; k++) sum -= a[i][k] * a[k][j];
            a[i][j] = sum;
        }
#pragma omp parallel for private(j, k, sum) default(none) shared(a, n, i)
        for (j = i + 1; j < n; j++) {
            sum = a[j][i];
            for (k = 0; k < i; k++) sum -= a[j][k] * a[k][i];
            a[j][i] = sum / a[i][i];
        }
    }
}
