void sweep(int n, int m, T *a_, T *b_)
{
for (int i = 1; i < n - 1; i++) {
            for (int j = 0; j < m; j++) t[j] = a[i - 1][j] + a[i + 1][j];
            for (int j = 1; j < m - 1; j++) b[i][j] = t[j];
        }
}
