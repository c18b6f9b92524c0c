#include <stdio.h>
double a[400][400], b[400][400];
void f(int n)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            a[i][j] = b[j][i] + 1;
        for (int j = 0; j < n; j++)
            b[j][i] = a[i][j] * 2;
    }
}
void mm(int n, double c[n][n], double x[n][n], double y[n][n])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                c[i][j] += x[i][k] * y[k][j];
}
void down(int n)
{
    for (int i = n - 1; i > 0; i -= 2)
        for (int j = 0; j < i; j++)
            a[i][j] = a[i][j] + b[j][i];
}
void scan(int n)
{
    for (int i = 1; i < n; i++)
        a[0][i] = a[0][i - 1] + b[0][i];
}
