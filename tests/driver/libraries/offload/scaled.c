/* Sums that are multiplied by something of their row or column before they are stored. */
#include <stdio.h>

void rows(double *out, const double *w, const double *in, const double *sc, int m, int n)
{
    for (int i = 0; i < m; i++) {
        double sum = 0;
        for (int k = 0; k < n; k++) sum += in[k] * w[i * n + k];
        out[i] = sc[i] * sum;
    }
}
void gated(double *out, const double *w, const double *in, const double *b, int m, int n)
{
    for (int i = 0; i < m; i++) {
        double sum = 0.5;
        for (int k = 0; k < n; k++) sum += in[k] * w[k * m + i];
        out[i] = (b[i] < 0 ? b[i] / 4 : b[i]) * sum + b[i];
    }
}
void product(double *out, const double *a, const double *c, const double *sr, const double *sc, int m, int n, int l)
{
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int k = 0; k < l; k++) sum += a[i * l + k] * c[k * n + j];
            out[i * n + j] = sum * sr[i] * sc[j];
        }
}
void twice(double *out, const double *w, const double *in, const double *b, int m, int n)
{
    for (int i = 0; i < m; i++) {
        double sum = 0;
        for (int k = 0; k < n; k++) sum += in[k] * w[i * n + k] * b[k];
        out[i] = sum;
    }
}
void old(double *out, const double *w, const double *in, const double *b, int m, int n)
{
    for (int i = 0; i < m; i++) {
        double sum = 0;
        for (int k = 0; k < n; k++) sum += in[k] * w[i * n + k];
        out[i] = b[i] * sum + out[i];
    }
}
enum { N = 40 };
static double a[N * N], c[N * N], x[N], s[N], t[N], y[N * N];
static void show(int count)
{
    for (int i = 0; i < count; i++) printf("%g ", y[i]);
    printf("\n");
}
int main(void)
{
    for (int k = 0; k < N * N; k++) a[k] = k % 7 - 3, c[k] = k % 5 - 1;
    for (int k = 0; k < N; k++) x[k] = k % 5 - 1, s[k] = k % 3 - 1, t[k] = k % 4 + 1;
    for (int n = 0; n <= N; n += 13) {
        rows(y, a, x, s, N, n);
        show(N);
        gated(y, a, x, s, N, n);
        show(N);
        product(y, a, c, s, t, N, n, N);
        show(N * n);
        twice(y, a, x, s, N, n);
        old(y, a, x, s, N, n);
        show(N);
        rows(y, a, x, y + N - 1, N, n); /* a factor that is stored to before it is read */
        show(N);
        rows(y, a, x, y, N, n);
        show(N);
    }
    return 0;
}
