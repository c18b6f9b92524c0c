// s2s: --force --passes=simd -- -O2
// run
// text: s2s_i_at += 16
/* gcc at -O2 makes vectors of loops alone whose number of iterations it knows. */
#include <stdio.h>

void turn(float *x, float *y, float *z, const float *a, const float *b, const float *c, int n)
{
    for (int i = 0; i < n; i++) { // remark: vectorized the innermost loops [simd]
        const float half = a[i] / 2;
        x[i] = b[i] - 2 * c[i];
        y[i] = c[i] - half * a[i];
        z[i] = half + b[i] / 3;
    }
}

void inside(double *x, double *y, double *z, const double *a, const double *b, const double *c, int first, int n)
{
    for (int i = first; i <= n - 2; i++) { // remark: vectorized the innermost loops [simd]
        x[i] = b[i + 1] - 2 * c[i];
        y[i] = c[i + 2] - a[i];
        z[i] = a[i] + b[i] / 3;
    }
}

/* Sixty-four iterations, and compilers see it. */
void known(float *x, float *y, float *z, const float *a, const float *b, const float *c)
{
    for (int i = 0; i < 64; i++) { // remark: vectorized the innermost loops [simd]
        x[i] = b[i] - 2 * c[i];
        y[i] = c[i] - a[i];
        z[i] = a[i] + b[i] / 3;
    }
}

static float x[80], y[80], z[80], a[80], b[80], c[80];
static double u[80], v[80], w[80], d[80], e[80], f[80];

int main(void)
{
    double sum = 0;
    for (int n = -1; n < 70; n++) {
        for (int i = 0; i < 80; i++) {
            a[i] = d[i] = i * 0.25 + n, b[i] = e[i] = 1.0 / (i + 1), c[i] = f[i] = 3 - i;
            x[i] = y[i] = z[i] = u[i] = v[i] = w[i] = -i;
        }
        turn(x, y, z, a, b, c, n);
        inside(u, v, w, d, e, f, n % 5 + 1, n);
        turn(x + 1, y, z, x, y + 2, z + 1, n / 2);
        known(y, z, x, b, a, c);
        for (int i = 0; i < 80; i++)
            sum = sum * 0.99 + x[i] + 2 * y[i] + 3 * z[i] + 5 * u[i] + 7 * v[i] + 11 * w[i];
    }
    printf("%.17g\n", sum);
    return 0;
}
