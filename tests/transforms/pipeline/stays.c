// s2s: --parallel --passes=pipeline --force -- -fopenmp
// stays
/* What threads can share as it stands, what carries to everything, and what is too short. */

void columns(int n, double a[][64])
{
    // missed: a loop carries no dependence [pipeline]
    for (int i = 1; i < n; i++)
        for (int j = 1; j < 64; j++)
            a[i][j] = .5 * (a[i - 1][j] + a[i][j]);
}

double total(int n, double a[][64])
{
    double sum = 0;
    // missed: no two loops can be permuted, even skewed [pipeline]
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 64; j++)
            sum += a[i][j];
    return sum;
}

void few(double a[9][9])
{
    // missed: the loops are too short for threads [pipeline]
    for (int i = 1; i < 9; i++)
        for (int j = 1; j < 9; j++)
            a[i][j] = a[i - 1][j] + a[i][j - 1];
}
