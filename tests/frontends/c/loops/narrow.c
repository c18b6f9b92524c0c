// s2s: --force -- -O2 -fopenmp
// run
// text: n <= 32767
#include <stdint.h>
#include <stdio.h>

#define SIZE 70
static double a[SIZE][SIZE], b[SIZE][SIZE], c[SIZE][SIZE];

static void multiply(int n, double (*x)[SIZE], double (*y)[SIZE])
{
    for (short i = 0; i < n; i++) // remark: unrolled and jammed
        for (uint8_t j = 0; j < SIZE; j++)
            for (unsigned short k = 0; k < SIZE; k += 1)
                y[i][j] += x[i][k] * b[k][j] + i;
}

static void downwards(int n)
{
    signed char i;
    short j;
    for (i = 67; i >= 1; i -= 3) // remark: permuted
        for (j = n - 1; j > 0; j--)
            b[j][i] = b[j][i] * 0.5 + a[j][i - 1] + i * j;
}

int main(void)
{
    double sum = 0.0;
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++) {
            a[i][j] = (i * 7 + j * 3) % 11;
            b[i][j] = (i + j * 5) % 13;
        }
    multiply(SIZE - 1, a, c);
    downwards(SIZE);
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++)
            sum = sum * 0.999 + b[i][j] + c[i][j];
    printf("%.17g\n", sum);
    return 0;
}
