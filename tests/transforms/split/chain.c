void f(int n, int m, double (*restrict u)[m], double (*restrict v)[m])
{
    double d;
#pragma omp parallel for private(d)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            if (i == 0 && j == 0) d = 1.0;
            else if (i == 0) d = v[i][j - 1];
            else if (j == 0) { d = v[i - 1][j]; }
            else d = v[i - 1][j] + v[i][j - 1];
            u[i][j] = v[i][j] + d;
        }
}
