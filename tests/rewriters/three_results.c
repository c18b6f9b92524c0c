void turn(float *x, float *y, float *z, const float *a, const float *b, const float *c, int n)
{
    for (int i = 0; i < n; i++) {
        x[i] = b[i] - 2 * c[i];
        y[i] = c[i] - a[i];
        z[i] = a[i] + b[i] / 3;
    }
}
