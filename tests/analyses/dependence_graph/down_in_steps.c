void f(int n, float *restrict a, float *restrict b)
{
    for (int i = n; i >= 4; i -= 2) { a[i] = b[i]; b[i + 4] = a[i + 2]; }
}

