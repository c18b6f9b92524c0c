#include <stdio.h>
#define N 9
static int n;
static double a[N][N][N][2], x[N][N][N][2], s[N][N][N][2];
static double *other OTHER;
static void first(void)
{
    int i, j, k;
    for (j = 1; j < 8; j++)
        for (k = 1; k < 8; k++) {
            for (i = 1; i < n - 1; i++) {
                a[i][j][k][0] = s[i][j][k][0] + 1;
                a[i][j][k][1] = s[i][j][k][1] * 2;
            }
            for (i = 1; i < n - 1; i++) {
                x[i][j][k][0] += a[i][j][k][0] * a[i][j][k][1];
                x[i][j][k][1] -= a[i][j][k][0] / a[i][j][k][1];
            }
        }
}
static void second(void)
{
    int i, j, k;
    for (j = 1; j < 8; j++)
        for (k = 1; k < 8; k++) {
            for (i = 1; i < n - 1; i++) {
                a[i][j][k][0] = s[i][j][k][1] + 3;
                a[i][j][k][1] = s[i][j][k][0] * 4;
            }
            for (i = 1; i < n - 1; i++) {
                x[i][j][k][0] += a[i + 1][j][k][0];
                x[i][j][k][1] += a[i][j][k][1];
            }
        }
}
int main(void)
{
    int i, j, k, t;
    double sum = 0;
    n = 9;
    for (i = 0; i < N; i++)
        for (j = 0; j < N; j++)
            for (k = 0; k < N; k++) {
                s[i][j][k][0] = 0.5 * i + j + 0.1 * k + 1;
                s[i][j][k][1] = 0.25 * i - j + 0.2 * k + 0.01;
            }
    for (t = 0; t < 3; t++) {
        CHANGE
        first();
        second();
    }
    for (i = 0; i < N; i++)
        for (j = 0; j < N; j++)
            for (k = 0; k < N; k++)
                sum = sum * 0.99 + x[i][j][k][0] * 0.7 + x[i][j][k][1];
    SHOWN
    printf("%.17g\n", other ? sum + other[1] : sum);
    return 0;
}
