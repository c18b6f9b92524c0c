#include <stdio.h>
#define N 300
static double A[N][N], B[N][N], C[N][N], D[N][N], E[N][N];
int main(void) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            A[i][j] = (i * 3 + j) % 7;
            B[i][j] = (i + j * 5) % 9;
        }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            C[i][j] = 0;
            for (int k = 0; k < N; k++)
                C[i][j] += A[i][k] * B[k][j];
        }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            D[j][i] = C[i][j] * 0.5 + E[j][i];
    for (int t = 0; t < 20; t++)
        for (int j = 1; j < N - 1; j++)
            for (int i = 1; i < N - 1; i++)
                E[i][j] = 0.25 * (D[i - 1][j] + D[i + 1][j]) + 0.5 * E[i][j];
    double s = 0;
    for (int i = 0; i < N; i++)
        s += D[i][7] + E[i][9];
    printf("%.6f\n", s);
    return 0;
}
