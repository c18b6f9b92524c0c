/* Convolutions with borders, some of whose weights are infinite: nothing may be multiplied with 0. */
#include <math.h>
#include <stdio.h>

enum { C = 4, O = 24, N = 14 };
static float x[C][N][N], w[O][C][3][3], v[C][3][3][O], y[O][N][N];
static double dx[C][N][N], dw[O][C][3][3], dy[O][N][N];

static void in_order(void)
{
    for (int o = 0; o < O; o++)
        for (int r = 0; r < N; r++)
            for (int s = 0; s < N; s++) {
                float sum = 0;
                for (int c = 0; c < C; c++)
                    for (int a = 0; a < 3; a++)
                        for (int b = 0; b < 3; b++)
                            if (r + a >= 1 && r + a <= N && s + b >= 1 && s + b <= N)
                                sum += w[o][c][a][b] * x[c][r + a - 1][s + b - 1];
                y[o][r][s] = sum;
            }
}

static void outputs_last(void)
{
    for (int o = 0; o < O; o++)
        for (int r = 0; r < N; r++)
            for (int s = 0; s < N; s++) {
                float sum = 0;
                for (int c = 0; c < C; c++)
                    for (int a = 0; a < 3; a++)
                        for (int b = 0; b < 3; b++)
                            if (r + a >= 1 && r + a <= N && s + b >= 1 && s + b <= N)
                                sum += v[c][a][b][o] * x[c][r + a - 1][s + b - 1];
                y[o][r][s] = sum;
            }
}

static void doubles(void)
{
    for (int o = 0; o < O; o++)
        for (int r = 0; r < N; r++)
            for (int s = 0; s < N; s++) {
                double sum = 0;
                for (int c = 0; c < C; c++)
                    for (int a = 0; a < 3; a++)
                        for (int b = 0; b < 3; b++)
                            if (r + a >= 1 && r + a <= N && s + b >= 1 && s + b <= N)
                                sum += dw[o][c][a][b] * dx[c][r + a - 1][s + b - 1];
                dy[o][r][s] = sum;
            }
}

static void show(void)
{
    for (int o = 0; o < O; o += 5) {
        for (int r = 0; r < N; r += 3) printf("%g %g %g ", y[o][r][0], y[o][r][5], y[o][r][N - 1]);
        for (int r = 0; r < N; r += 3) printf("%g %g ", dy[o][r][0], dy[o][r][N - 1]);
        printf("\n");
    }
}

int main(void)
{
    for (int which = 0; which < 3; which++) {
        for (int c = 0; c < C; c++)
            for (int r = 0; r < N; r++)
                for (int s = 0; s < N; s++) dx[c][r][s] = x[c][r][s] = (float)((c + r * 3 + s) % 5 + 1);
        for (int o = 0; o < O; o++)
            for (int c = 0; c < C; c++)
                for (int a = 0; a < 9; a++)
                    dw[o][c][a / 3][a % 3] = w[o][c][a / 3][a % 3] = v[c][a / 3][a % 3][o] =
                        (float)((o + c + a) % 3);
        if (which) /* the corner of each window of one output, then of all */
            for (int o = 0; o < (which == 1 ? 1 : O); o++)
                dw[o][1][0][2] = w[o][1][0][2] = v[1][0][2][o] = INFINITY;
        in_order();
        doubles();
        show();
        outputs_last();
        show();
    }
    return 0;
}
