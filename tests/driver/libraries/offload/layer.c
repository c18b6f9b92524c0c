#include <math.h>

void layer(int n, int m, const float *w, const float *restrict in, float *restrict out)
{
    for (int i = 0; i < n; i++) {
        float sum = 0;
        for (int j = 0; j < m; j++)
            sum += w[i * m + j] * in[j];
        out[i] = tanhf(sum);
    }
}
