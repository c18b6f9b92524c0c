// sizes: batch=2 h=13 w=11 c=18 size=2 stride=1 pad=1
// pools: maximum over 2 x 2, stride 1 x 1, padding 0 1 0 1, of 13 x 11 x 18 (2 of them)
#include <float.h>
void flat_pointers(int batch, int h, int w, int c, int size, int stride, int pad,
                   const float *input, float *output)
{
    const int out_h = (h + pad - size) / stride + 1, out_w = (w + pad - size) / stride + 1;
    for (int b = 0; b < batch; ++b)
        for (int k = 0; k < c; ++k)
            for (int i = 0; i < out_h; ++i)
                for (int j = 0; j < out_w; ++j) {
                    float largest = -FLT_MAX;
                    for (int n = 0; n < size; ++n)
                        for (int m = 0; m < size; ++m) {
                            int row = i * stride + n, column = j * stride + m;
                            int valid = row >= 0 && row < h && column >= 0 && column < w;
                            float value = valid ? input[column + w * (row + h * (k + b * c))] : -FLT_MAX;
                            largest = value > largest ? value : largest;
                        }
                    output[j + out_w * (i + out_h * (k + c * b))] = largest;
                }
}
