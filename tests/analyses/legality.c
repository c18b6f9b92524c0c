int a[100][100];
void f(int n) {
    for (int i = 1; i < n; i++)
        for (int j = 1; j < n - 1; j++)
            a[i][j] = a[i - 1][j + 1] + 1;
}
