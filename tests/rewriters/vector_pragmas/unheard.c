// s2s: --passes=simd
// text: #pragma GCC ivdep
/* Three results through pointers: too many for gcc to compare while the loop runs. */
typedef float number;

void turn(number *x, number *y, number *z, const number *a, const number *b, const number *c, int n)
{
    // remark: vectorized the innermost loops [simd]
    for (int i = 0; i < n; i++) {
        const number half = a[i] / 2;
        x[i] = b[i] - 2 * c[i];
        y[i] = c[i] - half * a[i];
        z[i] = half + b[i] / 3;
    }
}

/* Lanes would share the pair. */
void pairs(float *x, float *y, float *z, const float *a, const float *b, const float *c, int n)
{
    // remark: vectorized the innermost loops [simd]
    for (int i = 0; i < n; i++) {
        float twice = 2 * c[i], pair[2] = {a[i] * b[i], b[i] - c[i]};
        x[i] = pair[0] - twice;
        y[i] = c[i] - pair[1] * a[i];
        z[i] = pair[0] + pair[1] / 3;
    }
}

#define PAIR(name) float name[2]

/* That it is an array, the preprocessor knows alone. */
void hidden(float *x, float *y, float *z, const float *a, const float *b, const float *c, int n)
{
    // remark: vectorized the innermost loops [simd]
    for (int i = 0; i < n; i++) {
        PAIR(pair);
        pair[0] = a[i] * b[i], pair[1] = b[i] - c[i];
        x[i] = pair[0] - 2;
        y[i] = c[i] - pair[1] * a[i];
        z[i] = pair[0] + pair[1] / 3;
    }
}
