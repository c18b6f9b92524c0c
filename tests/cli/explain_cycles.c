void f(int n, float *restrict a, float *restrict b, float *restrict c)
{
    for (int i = 4; i < n; i++) {
        a[i + 5] = c[i - 3] + b[2 * i + 2];
        b[2 * i] = a[i - 1] + 1;
        a[i] = c[i + 5] - 1;
        c[i] = b[2 * i - 4];
    }
}
