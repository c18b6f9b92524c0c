/* Functions of elements, softmax and sums as people write them, with look-alikes. */
#include <math.h>
#include <stdio.h>

#define R 24
#define N 500
static float a[R][N], b[R][N], low[R][N], sums[N];
static double d[R][N], totals[N];

static void one_row(float *x, int n)
{
    float most = x[0];
    for (int i = 1; i < n; i++)
        if (x[i] > most)
            most = x[i];
    float sum = 0.0f;
    for (int i = 0; i < n; i++) {
        x[i] = expf(x[i] - most);
        sum += x[i];
    }
    for (int i = 0; i < n; i++)
        x[i] /= sum;
}

void rows_by_helper(int rows, int n, float *x)
{
    for (int r = 0; r < rows; r++)
        one_row(x + r * n, n);
}

void rows(int n, const float *x, float *y)
{
    for (int r = 0; r < R; r++) {
        float most = -3.4028235e38f, sum = 0;
        for (int i = 0; i < n; i++)
            most = x[r * n + i] > most ? x[r * n + i] : most;
        for (int i = 0; i < n; i++) {
            float e = expf(x[r * n + i] - most);
            sum += e;
            y[r * n + i] = e;
        }
        float scale = 1.0f / sum;
        for (int i = 0; i < n; i++)
            y[r * n + i] = y[r * n + i] * scale;
    }
}

/* Not the largest element where all are below -1. */
void seeded(int n, float *x)
{
    for (int r = 0; r < R; r++) {
        float most = -1, sum = 0;
        for (int i = 0; i < n; i++)
            if (x[r * n + i] > most)
                most = x[r * n + i];
        for (int i = 0; i < n; i++) {
            x[r * n + i] = expf(x[r * n + i] - most);
            sum += x[r * n + i];
        }
        for (int i = 0; i < n; i++)
            x[r * n + i] /= sum;
    }
}

/* The first element does not count for the sum. */
void partly(int n, float *x)
{
    for (int r = 0; r < R; r++) {
        float most = x[r * n], sum = 0;
        for (int i = 0; i < n; i++)
            if (x[r * n + i] > most)
                most = x[r * n + i];
        for (int i = 0; i < n; i++)
            x[r * n + i] = expf(x[r * n + i] - most);
        for (int i = 1; i < n; i++)
            sum += x[r * n + i];
        for (int i = 0; i < n; i++)
            x[r * n + i] /= sum;
    }
}

void activations(int n, const float *x, float *y)
{
    for (int i = 0; i < n; i++)
        y[i] = tanhf(x[i]);
    for (int i = 0; i < n; i++)
        y[i] = 1.0f / (1.0f + expf(-y[i]));
}

/* One goes on from another. */
void onward(int n, float *x)
{
    for (int i = 1; i < n; i++)
        x[i] = tanhf(x[i - 1]);
}

void perceptron(int n, int m, const float *w, const float *x, const float *bias, float *y)
{
    for (int o = 0; o < n; o++) {
        float sum = bias[o];
        for (int i = 0; i < m; i++)
            sum += w[o * m + i] * x[i];
        y[o] = 1.0f / (1.0f + expf(-sum));
    }
}

/* Groups of channels in one subscript; and borders that are 0 times weights that are not finite. */
static double image[6][9][9], weights[6][3][2][2], out[6][8][8];
static float w[9], x[36], y[36];

static void groups(void)
{
    for (int g = 0; g < 2; g++)
        for (int o = 0; o < 3; o++)
            for (int i = 0; i < 8; i++)
                for (int j = 0; j < 8; j++)
                    for (int c = 0; c < 3; c++)
                        for (int p = 0; p < 2; p++)
                            for (int q = 0; q < 2; q++)
                                out[g * 3 + o][i][j] +=
                                    image[g * 3 + c][i + p][j + q] * weights[g * 3 + o][c][p][q];
}

static void borders(int h, int v, const float *from, const float *by, float *to)
{
    for (int i = 0; i < h; i++)
        for (int j = 0; j < v; j++) {
            float sum = 0;
            for (int p = 0; p < 3; p++)
                for (int q = 0; q < 3; q++) {
                    int r = i + p - 1, s = j + q - 1;
                    if (r >= 0 && r < h && s >= 0 && s < v)
                        sum += from[r * v + s] * by[p * 3 + q];
                }
            to[i * v + j] = sum;
        }
}

/* Rows that lie so many bytes apart; a factor 0 of what is not finite. */
static void bytes(int n, const char *from, long step, const double *by, double *to)
{
    for (int i = 0; i < n; i++) {
        const double *row = (const double *)(from + i * step);
        double sum = 0;
        for (int j = 0; j < n; j++)
            sum += row[j] * by[j];
        to[i] = sum;
    }
}

static void outer(int n, double factor, const double *u, const double *v, double *to)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            to[i * n + j] += factor * u[i] * v[j];
}

/* Half of what there is; a rectifier of what is no number. */
static void halves(int n, const double *from, double *to)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            to[i * n + j] = 1;
            for (int k = 0; k < n; k++)
                to[i * n + j] += from[i * n + k] * from[j * n + k];
        }
}

static void powers(int n, const float *from, float *to)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            to[i * n + j] = expf(from[i * n + j]);
}

static void rectified(int n, const double *matrix, const double *by, double *to, double *other)
{
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = 0; j < n; j++)
            sum += matrix[i * n + j] * by[j];
        to[i] = sum > 0 ? sum : 0;
        other[i] = sum < 0 ? 0 : sum;
    }
}

/* As generators of C write them: two counters in a header, taps without signs, rows by a cast. */
static float picture[2][12][12], filters[4][2][3][3], seen[4][12][12];

static void two_counters(void)
{
    for (unsigned m = 0; m < 4; m++)
        for (int o = 0, i = -1; o < 12; o++, i += 1)
            for (int p = 0, j = -1; p < 12; p++, j += 1) {
                seen[m][o][p] = 0.5f;
                for (int c = 0; c < 2; c++)
                    for (unsigned k = 0; k < 3; k++)
                        for (unsigned l = 0; l < 3; l++) {
                            int r = i + k * 1, s = j + l * 1;
                            if (r >= 0 && r < 12 && s >= 0 && s < 12)
                                seen[m][o][p] += picture[c][r][s] * filters[m][c][k][l];
                        }
            }
}

static void rows_by_cast(const float A[3][72], const float B[8][72], const float C[8], float Y[3][8])
{
    const int rows = 3, inner = 72, columns = 8;
    float (*D)[8] = (float (*)[8])C;
    for (unsigned r = 0; r < rows; r++)
        for (unsigned c = 0; c < columns; c++) {
            float sum = 0;
            for (unsigned i = 0; i < inner; i++) {
                float b = B[c][i];
                sum += A[r][i] * b;
            }
            float value = sum * 2.0f;
            value += D[0][c] * 3.0f;
            Y[r][c] = value;
        }
}

static void meant(void)
{
    double *all = image[0][0], sum = 0, products[64] = {0};
    for (int i = 0; i < 6 * 81; i++)
        all[i] = i * 7 % 5 - 2;
    for (int i = 0; i < 72; i++)
        ((double *)weights)[i] = i * 5 % 7 - 3;
    groups();
    for (int i = 0; i < 6 * 64; i++)
        sum += ((double *)out)[i] * (i % 11);
    printf("%g\n", sum);
    for (int i = 0; i < 36; i++)
        x[i] = i % 3, w[i % 9] = i % 4;
    w[1] = INFINITY;
    borders(6, 6, x, w, y);
    printf("%g %g %g\n", y[3], y[6], y[33]);
    bytes(8, (const char *)all, 9 * sizeof(double), weights[0][0][0], out[0][0]);
    printf("%g %g\n", out[0][0][1], out[0][0][7]);
    for (int i = 0; i < 288; i++)
        ((float *)picture)[i] = i % 5 - 2, ((float *)filters)[i % 72] = i % 7 - 3;
    two_counters();
    rows_by_cast((void *)picture, (void *)seen, x, (void *)sums);
    printf("%g %g %g %g\n", seen[0][0][0], seen[3][11][11], sums[2], sums[23]);
    halves(8, all, products);
    powers(6, x, y);
    printf("%g %g %g %g\n", products[1], products[8], y[1], y[6]);
    all[3] = NAN;
    rectified(8, all, weights[0][0][0], out[0][0], out[1][0]);
    printf("%g %d %g\n", out[0][0][0], isnan(out[1][0][0]), out[0][0][5]);
    all[0] = INFINITY;
    outer(8, 0, all, all + 8, products);
    printf("%g %g\n", products[0], products[9]);
}

int main(void)
{
    meant();
    for (int r = 0; r < R; r++)
        for (int i = 0; i < N; i++) {
            a[r][i] = (float)((r * 37 + i * 11) % 101 - 50) / 25;
            d[r][i] = (r * 7 + i) % 13 - 6;
        }
    for (int r = 0; r < R; r++) {
        sums[r] = 0;
        for (int i = 0; i < N; i++)
            sums[r] += a[r][i];
    }
    for (int i = 0; i < N; i++)
        totals[i] = 2;
    for (int r = 0; r < R; r++)
        for (int i = 0; i < N; i++)
            totals[i] -= d[r][i];
    for (int r = 0; r < R; r++)
        for (int i = 0; i < N; i++)
            totals[0] += d[r][i];
    printf("%.4f %.4f %g %g\n", sums[3], sums[R - 1], totals[0], totals[N - 1]);
    for (int k = 0; k < 8; k++) {
        rows(N, a[0], b[0]);
        rows_by_helper(R, N, b[0]);
        seeded(N, b[0]);
        for (int r = 0; r < R; r++)
            for (int i = 0; i < N; i++)
                low[r][i] = (float)(i % 7) - (r == k ? 60 : 6);
        seeded(N, low[0]);
        partly(N, b[0]);
        activations(R * N, a[0], b[0]);
    }
    printf("%.5f %.5f %g %g\n", b[1][7], b[R - 1][N - 1], low[7][6], low[8][6]);
    perceptron(R, N, a[0], b[0], sums, sums + R);
    onward(N, sums);
    a[2][5] = NAN;
    a[3][5] = INFINITY;
    rows(N, a[0], b[0]);
    activations(N, a[2], sums);
    printf("%.5f %d %d %d\n", b[4][1], b[2][9] != b[2][9], b[3][0] != b[3][0], sums[5] != sums[5]);
    return 0;
}
