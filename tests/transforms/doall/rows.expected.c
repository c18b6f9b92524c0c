/* Rows of a recursive filter: locals of each row, declared far outside. */
#include "soundness/numbers.h"

void filter(int rows, int n, const float a[4], float x[][512], float y[][512])
{
    float x1, y1, y2;
    int i, j;

    {
        /* s2s: parallel loop over 'i' */
        if (/* sizes for which this is right */
            rows >= 1 && n <= 512
            /* 'a' and 'y' do not overlap */
            && ((const char *)(a + 4) <= (const char *)y
                || (const char *)(y + rows) <= (const char *)a)
            /* 'x' and 'y' do not overlap */
            && ((const char *)(x + rows) <= (const char *)y
                || (const char *)(y + rows) <= (const char *)x)) {
#pragma omp parallel for
            for (int i = 0; i < rows; i++) {
                float x1;
                float y1;
                float y2;
                int j;
                x1 = 0.0f;
                y1 = y2 = 0.0f;
                for (j = 0; j < n; j++) {
                    y[i][j] = a[0] * x[i][j] + a[1] * x1 + a[2] * y1
                              + a[3] * y2;
                    x1 = x[i][j];
                    y2 = y1;
                    y1 = y[i][j];
                }
            }
        } else {
    for (i = 0; i < rows; i++) {
        x1 = 0.0f;
        y1 = y2 = 0.0f;
        for (j = 0; j < n; j++) {
            y[i][j] = a[0] * x[i][j] + a[1] * x1 + a[2] * y1 + a[3] * y2;
            x1 = x[i][j];
            y2 = y1;
            y1 = y[i][j];
        }
    }
        }
    }
}

static float x[70][512], y[70][512];

int main(void)
{
    static const float a[4] = {.5f, .25f, .375f, -.125f};
    double *p = numbers(70 * 512, 3);
    for (int k = 0; k < 70 * 512; k++) x[k / 512][k % 512] = (float)p[k];
    filter(70, 511, a, x, y);
    filter(1, 1, a, x, y + 2);
    filter(0, 5, a, x, y);
    show("y", y, sizeof y);
    free(p);
    return 0;
}
