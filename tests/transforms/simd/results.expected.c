void turn(double *x, double *y, double *z, const double *a, const double *b, const double *c, int n)
{
    int i;

    {
        /* s2s: vectorized the innermost loops */
        if (/* sizes for which this is right, and gains */
            n >= 16
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
#pragma omp simd
            for (int i = 0; i < n; i++) {
                x[i] = b[i] - 2 * c[i];
                y[i] = c[i] - a[i] * a[i];
                z[i] = a[i] + b[i] / 3;
            }
        } else {
    for (i = 0; i < n; i++) {
        x[i] = b[i] - 2 * c[i];
        y[i] = c[i] - a[i] * a[i];
        z[i] = a[i] + b[i] / 3;
    }
        }
    }
}
