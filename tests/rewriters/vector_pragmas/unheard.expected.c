/* Three results through pointers: too many for gcc to compare while the loop runs. */
typedef float number;

void turn(number *x, number *y, number *z, const number *a, const number *b, const number *c, int n)
{

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
#pragma GCC ivdep
            for (int i = 0; i < n; i++) {
                const number half = a[i] / 2;
                x[i] = b[i] - 2 * c[i];
                y[i] = c[i] - half * a[i];
                z[i] = half + b[i] / 3;
            }
        } else {
    for (int i = 0; i < n; i++) {
        const number half = a[i] / 2;
        x[i] = b[i] - 2 * c[i];
        y[i] = c[i] - half * a[i];
        z[i] = half + b[i] / 3;
    }
        }
    }
}

/* Lanes would share the pair. */
void pairs(float *x, float *y, float *z, const float *a, const float *b, const float *c, int n)
{

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
            for (int i = 0; i < n; i++) {
                float twice = 2 * c[i], pair[2] = {a[i] * b[i], b[i] - c[i]};
                x[i] = pair[0] - twice;
                y[i] = c[i] - pair[1] * a[i];
                z[i] = pair[0] + pair[1] / 3;
            }
        } else {
    for (int i = 0; i < n; i++) {
        float twice = 2 * c[i], pair[2] = {a[i] * b[i], b[i] - c[i]};
        x[i] = pair[0] - twice;
        y[i] = c[i] - pair[1] * a[i];
        z[i] = pair[0] + pair[1] / 3;
    }
        }
    }
}

#define PAIR(name) float name[2]

/* That it is an array, the preprocessor knows alone. */
void hidden(float *x, float *y, float *z, const float *a, const float *b, const float *c, int n)
{

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
            for (int i = 0; i < n; i++) {
                PAIR(pair);
                pair[0] = a[i] * b[i], pair[1] = b[i] - c[i];
                x[i] = pair[0] - 2;
                y[i] = c[i] - pair[1] * a[i];
                z[i] = pair[0] + pair[1] / 3;
            }
        } else {
    for (int i = 0; i < n; i++) {
        PAIR(pair);
        pair[0] = a[i] * b[i], pair[1] = b[i] - c[i];
        x[i] = pair[0] - 2;
        y[i] = c[i] - pair[1] * a[i];
        z[i] = pair[0] + pair[1] / 3;
    }
        }
    }
}
