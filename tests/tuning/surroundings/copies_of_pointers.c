// copies of pointers
void f(int n, int m, double *a_, double *b_) {
    double (*a)[n][m] = (double (*)[n][m])a_;
    double *b = b_;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            (*a)[i][j] += b[j * n + i];
}
