// s2s: --passes=permute --force -- -O3 -fopenmp
// run

#include <stdio.h>
static float half(float x) { return x / 2; }
static void forward(float *from, float *to, float **weights, int n, int m)
{
    float sum;
    int i, j;
#pragma omp parallel for private(i, j) reduction(+ : sum)
    for (j = 1; j <= m; j++) { // remark: permuted loops
        sum = 0.0;
        for (i = 0; i <= n; i++)
            sum += weights[i][j] * from[i];
        to[j] = half(sum);
    }
}
int main(void)
{
    static float from[40], to[70], rows[40][70], *weights[40];
    for (int i = 0; i < 40; i++) {
        from[i] = (i * 7) % 5;
        weights[i] = rows[i];
        for (int j = 0; j < 70; j++)
            rows[i][j] = (i + 3 * j) % 8;
    }
    for (int n = 0; n < 40; n += 13)
        for (int m = 0; m < 70; m += 23) {
            forward(from, to, weights, n, m);
            for (int j = 0; j <= m; j++)
                printf("%g\n", to[j]);
        }
    return 0;
}
