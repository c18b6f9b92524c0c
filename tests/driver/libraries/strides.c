/* Layers that are given their strides and dilations: those of 1 and 2 are convolutions. */
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    int in, out, kernel, stride, pad, dilation, groups;
    const float *weights, *bias;
} Layer;

static void forward(const Layer *l, const float *x, int h, int w, float *y, int oh, int ow)
{
    int ci = l->in / l->groups, co = l->out / l->groups;
    for (int g = 0; g < l->groups; g++)
        for (int o = 0; o < co; o++)
            for (int r = 0; r < oh; r++)
                for (int c = 0; c < ow; c++) {
                    float sum = l->bias[g * co + o];
                    for (int i = 0; i < ci; i++)
                        for (int u = 0; u < l->kernel; u++) {
                            int row = r * l->stride - l->pad + u * l->dilation;
                            if (row < 0 || row >= h) continue;
                            for (int v = 0; v < l->kernel; v++) {
                                int column = c * l->stride - l->pad + v * l->dilation;
                                if (column < 0 || column >= w) continue;
                                sum += x[((g * ci + i) * h + row) * w + column] *
                                       l->weights[(((g * co + o) * ci + i) * l->kernel + u) *
                                                      l->kernel + v];
                            }
                        }
                    y[((g * co + o) * oh + r) * ow + c] = sum > 0 ? sum : 0.125f * sum;
                }
}

static void spread(const double *restrict x, const double *restrict k, double *restrict y, int n,
                   int taps, int step, int gap)
{
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int t = 0; t < taps; t++) sum += x[i * step + t * gap] * k[t];
        y[i] = sum;
    }
}

static float image[4 * 12 * 13], weights[8 * 4 * 9], bias[8], result[8 * 16 * 17];
static double line[512], taps[8], out[128];

int main(void)
{
    for (int i = 0; i < 4 * 12 * 13; i++) image[i] = (float)(i % 7 - 3);
    for (int i = 0; i < 8 * 4 * 9; i++) weights[i] = (float)(i % 5 - 2);
    for (int i = 0; i < 8; i++) bias[i] = (float)i / 4, taps[i] = i - 3;
    for (int i = 0; i < 512; i++) line[i] = i % 11;
    for (int k = 0; k < 54; k++) {
        Layer l = {4, 8, 1 + 2 * (k / 27), 1 + k % 3, k / 3 % 3, 1 + k / 9 % 3, k % 2 ? 2 : 1,
                   weights, bias};
        int reach = l.dilation * (l.kernel - 1) + 1;
        int oh = (12 + 2 * l.pad - reach) / l.stride + 1, ow = (13 + 2 * l.pad - reach) / l.stride + 1;
        forward(&l, image, 12, 13, result, oh, ow);
        spread(line, taps, out, 64 + k, 8, 1 + k % 3, 1 + k / 3 % 4);
        double sum = out[k] + out[63 + k];
        for (int i = 0; i < 8 * oh * ow; i++) sum += result[i] * (i % 9);
        printf("%d %.3f\n", k, sum);
    }
    Layer none = {0, 0, 3, 1, 1, 1, 0, NULL, NULL};
    none.groups = 1;
    forward(&none, NULL, 12, 13, NULL, 12, 13);
    return 0;
}
