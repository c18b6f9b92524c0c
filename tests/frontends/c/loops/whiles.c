// s2s: --passes popp,jam --force -- -O2 -fopenmp
// run
#include <stdio.h>

#define SIZE 70
static double a[SIZE][SIZE], b[SIZE][SIZE], c[SIZE][SIZE];

static void multiply(int n)
{
    int i = 0;
    while (i < n) { // remark@*: unrolled and jammed
        int j = 0;
        while (n > j) {
            int k;
            k = 0;
            while (k < n) {
                c[i][j] += a[i][k] * b[k][j];
                k++;
            }
            j = 1 + j;
        }
        i += 1;
    }
}

static void smooth(int n, int steps)
{
    int t, i, j;
    for (t = 0; t < steps; t++) { // remark: fused, skewed
        i = 1;
        while (i < n - 1) {
            for (j = 1; j < n - 1; j++)
                b[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
            ++i;
        }
        for (i = 1; i < n - 1; i++) {
            j = n - 2;
            while (j > 0) {
                a[i][j] = b[i][j] + c[i][j];
                j--;
            }
        }
    }
}

int main(void)
{
    double sum = 0.0;
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++) {
            a[i][j] = (i * 7 + j * 3) % 11;
            b[i][j] = (i + j * 5) % 13;
        }
    multiply(SIZE - 1);
    smooth(SIZE, 6);
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++)
            sum = sum * 0.999 + a[i][j] + b[i][j] + c[i][j];
    printf("%.17g\n", sum);
    return 0;
}
