int f(int n, int m)
{
    for (int i = n; i >= 1; i--) {
        k -= 1;
        for (int j = N; j > 0; --j) a[j][i] = b[k + j];
        for (int j = 0; j <= 3; j++) { a[i][j] += k; k -= 1; }
    }
}
