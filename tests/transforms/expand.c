double squash(double x) { return x / (1 + x); }
void forward(int n, int m, double **w, double *in, double *out)
{
    double sum;
    int j, k;
#pragma omp parallel for private(k) reduction(+:sum)
    for (j = 1; j <= m; j++) {
        sum = 0.0;
        for (k = 0; k <= n; k++)
            sum += w[k][j] * in[k];
        out[j] = squash(sum);
    }
}
