void sweep(int n, int m, T *a_, T *b_)
{
for (int i = 1; i < n - 1; i++) {
            for (int j = 0; j < m; j++) t[j] = a_[i * m + j] - a_[i * m - m + j];
            for (int j = 0; j < m; j++) b_[i * m + j] = t[j];
        }
}
