// rows behind pointers, negative subscripts, arrays on the stack
void f(int n, double **rows, double *restrict v, unsigned char *flags) {
    double sums[n], fixed[20]; double total = 0;
    for (int i = 0; i < n; i++)
        for (int j = -3; j < n - 3; j++)
            { rows[i][j + 3] += v[j] + sums[i] + fixed[2]; total += flags[i]; }
}
