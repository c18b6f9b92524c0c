// s2s: --parallel --passes=doall --force -- -fopenmp
// stays
/* What the first sweep alone has to write stands in the loop of the others, which is no one's. */
static double x[60][60], y[60][60], z[60][60];

double sweep(int n)
{
    double sum = 0;
    // missed: every loop carries a dependence [doall]
    for (int h = 0; h < 3; h++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                sum += y[i][j] - x[j][i];
                z[i][j] = y[i][j] + y[i][j];
            }
    return sum;
}
