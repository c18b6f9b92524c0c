// Matrices as arrays of pointers to their rows: in one piece, rows apart, rows shared.
#include <stdio.h>
#define N 6
static double memory[400];

static void product(int n, int m, int p, double **a, double **b, double **c) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            double s = 0;
            for (int k = 0; k < p; k++)
                s += a[i][k] * b[k][j];
            c[i][j] = s;
        }
}

int main(void) {
    double *a[N], *b[N], *c[N];
    for (int way = 0; way < 5; way++) {
        for (int i = 0; i < 400; i++)
            memory[i] = (i * 7 + way) % 5 - 2;
        for (int i = 0; i < N; i++) {
            a[i] = memory + 8 * i;
            b[i] = memory + 60 + 7 * (way == 1 ? N - 1 - i : i) + (way == 2 && i > 3);
            c[i] = memory + (way == 3 ? 20 : 120) + 9 * (way == 4 ? i / 2 : i);
        }
        product(N, 5, 4, a, b, c);
        product(0, 5, 4, NULL, NULL, NULL);
        unsigned long hash = 5381;
        for (int i = 0; i < 400; i++)
            hash = hash * 33 + (unsigned long)(long)memory[i];
        printf("%d %lx\n", way, hash);
    }
    return 0;
}
