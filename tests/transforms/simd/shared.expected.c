#define AT(i, j, k) (((i) * m + (j)) * l + (k))

void wave(float *restrict v, const float *restrict u, const float *restrict w, int n, int m, int l)
{
    {
        /* s2s: vectorized the innermost loops */
        if (n >= 5 && m >= 5 && l >= 20) {
#pragma omp parallel for
            for (int i = 2; i < n - 2; i++) {
                for (int j = 2; j < m - 2; j++) {
#pragma omp simd
                    for (int k = 2; k < l - 2; k++) {
                        float s = -6.0f * u[AT(i, j, k)];
                        s += u[AT(i - 1, j, k)] + u[AT(i + 1, j, k)] + u[AT(i, j - 1, k)]
                             + u[AT(i, j + 1, k)];
                        s -= 0.1f
                             * (u[AT(i - 2, j, k)] + u[AT(i + 2, j, k)] + u[AT(i, j - 2, k)]
                                + u[AT(i, j + 2, k)]);
                        v[AT(i, j, k)] = 2 * u[AT(i, j, k)] - w[AT(i, j, k)]
                                         + w[AT(i + 1, j, k)] * s;
                    }
                }
            }
        } else {
#pragma omp parallel for schedule(static, 2)
    for (int i = 2; i < n - 2; i++)
        for (int j = 2; j < m - 2; j++)
            for (int k = 2; k < l - 2; k++) {
                float s = -6.0f * u[AT(i, j, k)];
                s += u[AT(i - 1, j, k)] + u[AT(i + 1, j, k)] + u[AT(i, j - 1, k)] + u[AT(i, j + 1, k)];
                s -= 0.1f * (u[AT(i - 2, j, k)] + u[AT(i + 2, j, k)] + u[AT(i, j - 2, k)] + u[AT(i, j + 2, k)]);
                v[AT(i, j, k)] = 2 * u[AT(i, j, k)] - w[AT(i, j, k)] + w[AT(i + 1, j, k)] * s;
            }
        }
    }
}
