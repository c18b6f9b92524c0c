/* A program around f(), called with several sizes. */
#include <stdio.h>
static double A[70][70], B[70][70], C[70][70], X[70], Y[70], Z[70];
int main(void)
{
    static const int sizes[] = {0, 1, 2, 3, 4, 5, 12, 17, 33, 64};
    for (int s = 0; s < 10; s++)
        for (int t = 0; t < 10; t++) {
            double sum = 0;
            for (int i = 0; i < 70; i++) {
                X[i] = i * 0.25; Y[i] = 1.0 / (i + 1); Z[i] = 3 - i;
                for (int j = 0; j < 70; j++) {
                    A[i][j] = (i * j % 7) / 3.0 + (i == j) * 9; B[i][j] = 1.0 / (1 + i + j);
                    C[i][j] = i - j / 2.0;
                }
            }
            f(sizes[s], sizes[t], A, B, C, X, Y, Z);
            for (int i = 0; i < 70; i++) {
                sum = sum * 1.001 + X[i] + Z[i];
                for (int j = 0; j < 70; j++) sum = sum * 1.0001 + A[i][j] + C[i][j];
            }
            printf("%d %d %a\n", sizes[s], sizes[t], sum);
        }
    return 0;
}
