/* Functions with loops of all kinds: some change, some race, some stay. */
#include <math.h>
#define N 200
static double a[N][N], b[N][N], c[N][N], u[N], v[N], w[N];
static double shared;

static void scale(double *p, int n)
{
    for (int i = 0; i < n; i++) {
        shared = p[i] * 2.0;
        p[i] = shared + 1.0;
    }
}

void product(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            for (int k = 0; k < N; k++)
                c[i][j] += a[i][k] * b[k][j];
}

void columns(void)
{
    for (int j = 0; j < N; j++)
        for (int i = 1; i < N; i++)
            a[i][j] = a[i - 1][j] * 0.5 + b[i][j];
}

void first_race(void)
{
    #pragma omp parallel for
    for (int i = 0; i < N; i++) {
        shared = u[i] * 2.0;
        u[i] = shared + 1.0;
    }
    for (int i = 1; i < N; i++)
        v[i] = v[i - 1] * u[i];
}

void first_caller(void)
{
    #pragma omp parallel for
    for (int k = 0; k < 4; k++)
        scale(u, N);
}

void second_caller(void)
{
    #pragma omp parallel for
    for (int k = 0; k < 4; k++)
        scale(v, N);
}

void stencil(int steps)
{
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++)
                b[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++)
                a[i][j] = b[i][j];
    }
}

void transposed(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            w[j] += a[j][i] * u[i];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            c[j][i] = sqrt(fabs(a[j][i]));
}

double sums(int n)
{
    double s = 0.0;
    int i = 0;
    while (i < n) {
        s += u[i] * v[i];
        i++;
    }
    for (int k = 0; k < n; k++)
        for (int l = 0; l < n; l++)
            c[l][k] = c[l][k] + s;
    return s;
}
