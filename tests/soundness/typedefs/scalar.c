struct point { double x, y; };
static double weights[64];
double h(int n, const struct point *p, double *restrict out, float *restrict low)
{
    double sum = 0.0;
    for (int i = 1; i < n; i++) {
        double t = p[i].x * (double)i + weights[i % 64];
        float s = (float)t;
        out[i] = t + out[i - 1];
        low[i] = s * (float)sizeof(double);
        sum += t;
    }
    return sum;
}
