unsigned long f(int n, unsigned *x, const unsigned *y, unsigned *z)
{
    for (int i = 0; i < n; i++) {
        x[i] = y[i] + z[i];
        z[i] = x[i + 1];
    }
    return 0;
}
