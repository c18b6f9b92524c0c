/* Helpers whose loops count their length down. */
#include <stdio.h>

static float product(const float *a, const float *b, int n)
{
    float sum = 0;
    while (n-- > 0) sum += *a++ * *b++;
    return sum;
}

static float unsigned_product(const float *a, const float *b, unsigned n)
{
    float sum = 0;
    while (n--) {
        sum += *a * *b;
        a++;
        b++;
    }
    return sum;
}

static void add(float *y, const float *x, float factor, int n)
{
    while (n-- != 0) *y++ += factor * *x++;
}

static void layer(const float *w, const float *b, const float *x, float *y, int in, int out)
{
    for (int o = 0; o < out; o++) y[o] = product(w + o * in, x, in) + b[o];
}

static void unsigned_layer(const float *w, const float *x, float *y, int in, int out)
{
    for (int o = 0; o < out; o++) y[o] = unsigned_product(w + o * in, x, in);
}

static void outer(float *w, const float *x, const float *y, int out, int in)
{
    for (int o = 0; o < out; o++) add(w + o * in, y, x[o], in);
}

static int left(int n, const int *v)
{
    int sum = 0;
    while (n-- > 3) sum += v[0];
    return n * 100 + sum;
}

static float w[64 * 80], b[64], x[80], y[64];

int main(void)
{
    static const int v[1] = {7};
    for (int i = 0; i < 64 * 80; i++) w[i] = (float)(i % 7 - 3);
    for (int i = 0; i < 80; i++) x[i] = (float)(i % 5);
    for (int i = 0; i < 64; i++) b[i] = (float)i;
    for (int k = -1; k < 4; k++) {
        int in = k < 0 ? -2 : 20 * k, out = 16 * k;
        layer(w, b, x, y, in, k < 0 ? 5 : out);
        printf("%g %g %g\n", y[0], y[4], y[47]);
        if (in > 0) unsigned_layer(w, x, y, in, out);
        if (in > 0) outer(w, b, x, out, in);
        printf("%g %g %g %d\n", y[1], y[15], w[in > 0 ? in : 0], left(k + 2, v));
    }
    return 0;
}
