/* Products of matrices of integers: what BLAS holds exactly, and what it does not. */
#include <stdio.h>
#include <stdlib.h>

#define M 33
#define N 40
#define K 50
static int a[M][K], b[K][N], c[M][N], d[N][M];
static signed char left[M][K], right[N][K];
static unsigned char image[M][K];
static short halves[K][N];
static int sums[M][N];
static unsigned u[M][K], v[K][N], w[M][N];
static long long x[M][K], y[K][N], z[M][N];
static short cut[M][N];

static void plain(void)
{
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            c[i][j] = 0;
            for (int k = 0; k < K; k++)
                c[i][j] += a[i][k] * b[k][j];
        }
}

static void scaled(int m, int n, int alpha, int beta, const int *p, const int *q, int *r)
{
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            int sum = 0;
            for (int k = 0; k < K; k++)
                sum += p[k * m + i] * q[k * n + j];
            r[j * m + i] = alpha * sum + beta * r[j * m + i];
        }
}

static void bytes(void)
{
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            int sum = 3;
            for (int k = 0; k < K; k++)
                sum += left[i][k] * right[j][k];
            sums[i][j] -= sum;
        }
}

static void mixed(void)
{
    for (int i = 0; i < M; i++)
        for (int k = 0; k < K; k++)
            for (int j = 0; j < N; j++)
                sums[i][j] += image[i][k] * halves[k][j];
}

static void wrapping(void)
{
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++)
            for (int k = 0; k < K; k++)
                w[i][j] += u[i][k] * v[k][j];
}

static void wide(void)
{
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++)
            for (int k = 0; k < K; k++)
                z[i][j] += x[i][k] * y[k][j];
}

/* Sums of products that have wrapped around, or are cut off at each step: no products of these. */
static void look_alikes(void)
{
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++)
            for (int k = 0; k < K; k++)
                cut[i][j] += halves[k][j] * left[i][k];
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++)
            for (int k = 0; k < K; k++)
                z[i][j] += u[i][k] * v[k][j];
}

static void fill(void *to, int size, unsigned seed)
{
    for (int i = 0; i < size; i++) {
        seed = seed * 1103515245u + 12345u;
        ((unsigned char *)to)[i] = (unsigned char)(seed >> 16);
    }
}

static unsigned long long hash(const void *from, int size)
{
    unsigned long long sum = 1469598103934665603ull;
    for (int i = 0; i < size; i++)
        sum = (sum ^ ((const unsigned char *)from)[i]) * 1099511628211ull;
    return sum;
}

int main(void)
{
    fill(left, sizeof left, 1);
    fill(right, sizeof right, 2);
    fill(image, sizeof image, 3);
    fill(halves, sizeof halves, 4);
    fill(u, sizeof u, 5);
    fill(v, sizeof v, 6);
    for (int bits = 3; bits < 64; bits += 12) {
        for (int i = 0; i < M * K; i++) {
            (&a[0][0])[i] = (int)((&u[0][0])[i] >> (bits < 14 ? 32 - bits : 18)) - 9;
            (&x[0][0])[i] = ((long long)(&u[0][0])[i] << 32 | (&u[0][0])[M * K - 1 - i]) >> (64 - bits);
        }
        for (int i = 0; i < K * N; i++) {
            (&b[0][0])[i] = (int)((&v[0][0])[i] >> 20) - 2000;
            (&y[0][0])[i] = (long long)(&v[0][0])[i] - 4000;
        }
        plain();
        scaled(M, N, 3, -2, &a[0][0], &b[0][0], &d[0][0]);
        bytes();
        mixed();
        wrapping();
        wide();
        look_alikes();
        printf("%llx %llx %llx %llx %llx %llx\n", hash(c, sizeof c), hash(d, sizeof d),
               hash(sums, sizeof sums), hash(w, sizeof w), hash(z, sizeof z), hash(cut, sizeof cut));
    }
    return 0;
}
