void sweep(int n, int m, T *a_, T *b_)
{
for (int i = 1; i < n - 1; i++) {
            T t[4096];
            for (int j = 0; j < m; j++) t[j] = a[i - 1][j] + a[i + 1][j];
            for (int j = 0; j < m; j++) t[j] *= 0.5;
            for (int j = 0; j < m; j++) b[i][j] = t[j];
        }
}
