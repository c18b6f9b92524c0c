void f(int n, float *restrict a, float *restrict b)
{
    for (int k = 0; k < n; k++) {
        for (int i = 1; i < n; i++) a[i] = b[i];
        for (int i = 1; i < n; i++) b[i - 1] = a[i];
    }
}

