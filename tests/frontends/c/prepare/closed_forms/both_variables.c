int f(int n, int m)
{
    for (int i = 0; i < N; i++) {
        q += 2;
        for (int j = 0; j < N; j++) { k = k + 2; a[q - j][i] = b[k] + q; }
    }
}
