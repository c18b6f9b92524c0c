#include <stddef.h>

void product(COUNT n, TYPE a[n][n], TYPE b[n][n], TYPE c[n][n])
{
    for (COUNT i = 0; i < n; i++)
        for (COUNT j = 0; j < n; j++)
            for (COUNT k = 0; k < n; k++)
                c[i][j] += a[i][k] * b[k][j];
}

void relax(COUNT n, COUNT steps, TYPE a[n][n], TYPE b[n][n])
{
    for (COUNT t = 0; t < steps; t++) {
        for (COUNT i = 1; i < n - 1; i++)
            for (COUNT j = 1; j < n - 1; j++)
                b[i][j] = (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]) * (TYPE)2;
        for (COUNT i = 1; i < n - 1; i++)
            for (COUNT j = 1; j < n - 1; j++)
                a[i][j] = b[i][j];
    }
}

void down_columns(COUNT n, TYPE a[n][n], TYPE b[n][n])
{
    for (COUNT j = 0; j < n; j++)
        for (COUNT i = 1; i < n; i++)
            a[i][j] = a[i - 1][j] + b[i][j];
}

void renamed(TYPE *restrict x, TYPE *restrict y, TYPE *restrict z)
{
    TYPE t;
    for (COUNT i = 0; i < 30000; i++) {
        t = x[i] + y[i];
        x[i] = t * y[i + 1];
        t = z[i] - y[i];
        y[i] = t + x[i + 1];
    }
}
