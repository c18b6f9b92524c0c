#include <stdio.h>
void layer(int n, int m, const float *w, const float *restrict in, float *restrict out);
static float w[90000], x[300], y[300];
int main(void) {
    for (int k = 0; k < 90000; k++) w[k] = (float)(k % 7) / 64.0f - 0.05f;
    for (int k = 0; k < 300; k++) x[k] = (float)(k % 5) / 16.0f - 0.1f;
    for (int n = 0; n <= 300; n += 20) {
        layer(n, 300, w, x, y);
        for (int k = 0; k < n; k += 7) printf("%.5f\n", y[k]);
    }
    return 0;
}
