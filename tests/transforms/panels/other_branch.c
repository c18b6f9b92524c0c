void f(int n, float (*restrict a)[99], float (*restrict b)[99], float (*restrict c)[99])
{
    for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) for (int k = 0; k < n; k++) c[i][j] += a[i][k] * b[k][j];
}
