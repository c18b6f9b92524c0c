/* gcc at -O2 makes vectors of loops alone whose number of iterations it knows. */
#include <stdio.h>

void turn(float *x, float *y, float *z, const float *a, const float *b, const float *c, int n)
{
    {
        /* s2s: vectorized the innermost loops */
        if (/* sizes for which this is right */
            n >= 1
            /* 'a' and 'x' do not overlap */
            && ((const char *)(a + n) <= (const char *)x
                || (const char *)(x + n) <= (const char *)a)
            /* 'a' and 'y' do not overlap */
            && ((const char *)(a + n) <= (const char *)y
                || (const char *)(y + n) <= (const char *)a)
            /* 'a' and 'z' do not overlap */
            && ((const char *)(a + n) <= (const char *)z
                || (const char *)(z + n) <= (const char *)a)
            /* 'b' and 'x' do not overlap */
            && ((const char *)(b + n) <= (const char *)x
                || (const char *)(x + n) <= (const char *)b)
            /* 'b' and 'y' do not overlap */
            && ((const char *)(b + n) <= (const char *)y
                || (const char *)(y + n) <= (const char *)b)
            /* 'b' and 'z' do not overlap */
            && ((const char *)(b + n) <= (const char *)z
                || (const char *)(z + n) <= (const char *)b)
            /* 'c' and 'x' do not overlap */
            && ((const char *)(c + n) <= (const char *)x
                || (const char *)(x + n) <= (const char *)c)
            /* 'c' and 'y' do not overlap */
            && ((const char *)(c + n) <= (const char *)y
                || (const char *)(y + n) <= (const char *)c)
            /* 'c' and 'z' do not overlap */
            && ((const char *)(c + n) <= (const char *)z
                || (const char *)(z + n) <= (const char *)c)
            /* 'x' and 'y' do not overlap */
            && ((const char *)(x + n) <= (const char *)y
                || (const char *)(y + n) <= (const char *)x)
            /* 'x' and 'z' do not overlap */
            && ((const char *)(x + n) <= (const char *)z
                || (const char *)(z + n) <= (const char *)x)
            /* 'y' and 'z' do not overlap */
            && ((const char *)(y + n) <= (const char *)z
                || (const char *)(z + n) <= (const char *)y)) {
            {
                int s2s_i_at = 0;
                for (; (long)n - s2s_i_at >= 16; s2s_i_at += 16)
#pragma GCC ivdep
                    for (int s2s_i_lane = 0; s2s_i_lane < 16; s2s_i_lane++) {
                        const int i = s2s_i_at + s2s_i_lane;
                        {
                const float half = a[i] / 2;
                x[i] = b[i] - 2 * c[i];
                y[i] = c[i] - half * a[i];
                z[i] = half + b[i] / 3;
            }
                    }
                for (int i = s2s_i_at; i < n; i++)
                    {
                const float half = a[i] / 2;
                x[i] = b[i] - 2 * c[i];
                y[i] = c[i] - half * a[i];
                z[i] = half + b[i] / 3;
            }
            }
        } else {
    for (int i = 0; i < n; i++) {
        const float half = a[i] / 2;
        x[i] = b[i] - 2 * c[i];
        y[i] = c[i] - half * a[i];
        z[i] = half + b[i] / 3;
    }
        }
    }
}

void inside(double *x, double *y, double *z, const double *a, const double *b, const double *c, int first, int n)
{
    {
        /* s2s: vectorized the innermost loops */
        if (/* sizes for which this is right */
            n >= (long)first + 2
            /* 'a' and 'x' do not overlap */
            && ((const char *)(a + (long)n - 1) <= (const char *)(x + first)
                || (const char *)(x + (long)n - 1) <= (const char *)(a + first))
            /* 'a' and 'y' do not overlap */
            && ((const char *)(a + (long)n - 1) <= (const char *)(y + first)
                || (const char *)(y + (long)n - 1) <= (const char *)(a + first))
            /* 'a' and 'z' do not overlap */
            && ((const char *)(a + (long)n - 1) <= (const char *)(z + first)
                || (const char *)(z + (long)n - 1) <= (const char *)(a + first))
            /* 'b' and 'x' do not overlap */
            && ((const char *)(b + n) <= (const char *)(x + first)
                || (const char *)(x + (long)n - 1) <= (const char *)(b + first))
            /* 'b' and 'y' do not overlap */
            && ((const char *)(b + n) <= (const char *)(y + first)
                || (const char *)(y + (long)n - 1) <= (const char *)(b + first))
            /* 'b' and 'z' do not overlap */
            && ((const char *)(b + n) <= (const char *)(z + first)
                || (const char *)(z + (long)n - 1) <= (const char *)(b + first))
            /* 'c' and 'x' do not overlap */
            && ((const char *)(c + (long)n + 1) <= (const char *)(x + first)
                || (const char *)(x + (long)n - 1) <= (const char *)(c + first))
            /* 'c' and 'y' do not overlap */
            && ((const char *)(c + (long)n + 1) <= (const char *)(y + first)
                || (const char *)(y + (long)n - 1) <= (const char *)(c + first))
            /* 'c' and 'z' do not overlap */
            && ((const char *)(c + (long)n + 1) <= (const char *)(z + first)
                || (const char *)(z + (long)n - 1) <= (const char *)(c + first))
            /* 'x' and 'y' do not overlap */
            && ((const char *)(x + (long)n - 1) <= (const char *)(y + first)
                || (const char *)(y + (long)n - 1) <= (const char *)(x + first))
            /* 'x' and 'z' do not overlap */
            && ((const char *)(x + (long)n - 1) <= (const char *)(z + first)
                || (const char *)(z + (long)n - 1) <= (const char *)(x + first))
            /* 'y' and 'z' do not overlap */
            && ((const char *)(y + (long)n - 1) <= (const char *)(z + first)
                || (const char *)(z + (long)n - 1) <= (const char *)(y + first))) {
            {
                int s2s_i_at = first;
                for (; (long)(n - 1) - s2s_i_at >= 16; s2s_i_at += 16)
#pragma GCC ivdep
                    for (int s2s_i_lane = 0; s2s_i_lane < 16; s2s_i_lane++) {
                        const int i = s2s_i_at + s2s_i_lane;
                        {
                x[i] = b[i + 1] - 2 * c[i];
                y[i] = c[i + 2] - a[i];
                z[i] = a[i] + b[i] / 3;
            }
                    }
                for (int i = s2s_i_at; i < n - 1; i++)
                    {
                x[i] = b[i + 1] - 2 * c[i];
                y[i] = c[i + 2] - a[i];
                z[i] = a[i] + b[i] / 3;
            }
            }
        } else {
    for (int i = first; i <= n - 2; i++) {
        x[i] = b[i + 1] - 2 * c[i];
        y[i] = c[i + 2] - a[i];
        z[i] = a[i] + b[i] / 3;
    }
        }
    }
}

/* Sixty-four iterations, and compilers see it. */
void known(float *x, float *y, float *z, const float *a, const float *b, const float *c)
{
    {
        /* s2s: vectorized the innermost loops */
        if (/* 'a' and 'x' do not overlap */
            ((const char *)(a + 64) <= (const char *)x
             || (const char *)(x + 64) <= (const char *)a)
            /* 'a' and 'y' do not overlap */
            && ((const char *)(a + 64) <= (const char *)y
                || (const char *)(y + 64) <= (const char *)a)
            /* 'a' and 'z' do not overlap */
            && ((const char *)(a + 64) <= (const char *)z
                || (const char *)(z + 64) <= (const char *)a)
            /* 'b' and 'x' do not overlap */
            && ((const char *)(b + 64) <= (const char *)x
                || (const char *)(x + 64) <= (const char *)b)
            /* 'b' and 'y' do not overlap */
            && ((const char *)(b + 64) <= (const char *)y
                || (const char *)(y + 64) <= (const char *)b)
            /* 'b' and 'z' do not overlap */
            && ((const char *)(b + 64) <= (const char *)z
                || (const char *)(z + 64) <= (const char *)b)
            /* 'c' and 'x' do not overlap */
            && ((const char *)(c + 64) <= (const char *)x
                || (const char *)(x + 64) <= (const char *)c)
            /* 'c' and 'y' do not overlap */
            && ((const char *)(c + 64) <= (const char *)y
                || (const char *)(y + 64) <= (const char *)c)
            /* 'c' and 'z' do not overlap */
            && ((const char *)(c + 64) <= (const char *)z
                || (const char *)(z + 64) <= (const char *)c)
            /* 'x' and 'y' do not overlap */
            && ((const char *)(x + 64) <= (const char *)y
                || (const char *)(y + 64) <= (const char *)x)
            /* 'x' and 'z' do not overlap */
            && ((const char *)(x + 64) <= (const char *)z
                || (const char *)(z + 64) <= (const char *)x)
            /* 'y' and 'z' do not overlap */
            && ((const char *)(y + 64) <= (const char *)z
                || (const char *)(z + 64) <= (const char *)y)) {
#pragma GCC ivdep
            for (int i = 0; i <= 63; i++) {
                x[i] = b[i] - 2 * c[i];
                y[i] = c[i] - a[i];
                z[i] = a[i] + b[i] / 3;
            }
        } else {
    for (int i = 0; i < 64; i++) {
        x[i] = b[i] - 2 * c[i];
        y[i] = c[i] - a[i];
        z[i] = a[i] + b[i] / 3;
    }
        }
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
