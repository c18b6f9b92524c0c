void f(int n, int m, double (*restrict u)[m], double (*restrict v)[m])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            double west;
            if (j == 0) west = 1.0; else west = v[i][j - 1];
            u[i][j] = west + (i == n - 1 ? 0.0 : v[i + 1][j]);
        }
}
