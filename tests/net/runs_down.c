void f(int n, unsigned *a, unsigned *b, unsigned *c, int k)
{
    for (int i = n - 3; i > 0; i--) {
        if (c[i] > k + c[i]) c[i] = c[i] * 2;
        a[i] = c[i] - a[i + 2];
    }
}
