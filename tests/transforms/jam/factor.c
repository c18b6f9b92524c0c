// s2s: --force -- -O2
// run
// text: #pragma GCC ivdep

#include <stdio.h>

void weigh(int rows, int depth, int n, float weight, const float *a, int la, const float *b, int lb, float *c, int lc)
{
    int i, j, k;
    for (i = 0; i < rows; i++) { // remark: unrolled and jammed
        for (k = 0; k < depth; k++) {
            float factor = weight * a[i * la + k];
            for (j = 0; j < n; j++)
                c[i * lc + j] += factor * b[k * lb + j];
        }
    }
}

static float a[40 * 50], b[50 * 70], c[40 * 70];

int main(void)
{
    double sum = 0;
    for (int round = 0; round < 30; round++) {
        int rows = round % 11 + round / 3, depth = (7 * round) % 23 + 1, n = (5 * round) % 64;
        for (int x = 0; x < 40 * 50; x++) a[x] = (float)((x * 7 + round) % 31) / 8;
        for (int x = 0; x < 50 * 70; x++) b[x] = (float)((x * 5 + round) % 29) / 4;
        for (int x = 0; x < 40 * 70; x++) c[x] = (float)(x % 13);
        weigh(rows, depth, n, 0.37f, a, 50, b, 70, c, 70);
        for (int x = 0; x < 40 * 70; x++) sum = sum * 0.999 + c[x];
        // Rows that lie over each other: the source's loops, in their order.
        weigh(rows / 2, depth, n, 0.011f, c, 70, c + 60, 70, c + 3, 70);
        for (int x = 0; x < 40 * 70; x++) sum = sum * 0.999 + c[x];
    }
    printf("%.17g\n", sum);
    return 0;
}
