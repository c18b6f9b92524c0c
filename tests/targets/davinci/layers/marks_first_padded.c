// pools: maximum over 3 x 3, stride 2 x 2, padding 1 1 1 0, of 13 x 12 x 20, with its mask
// sizes: c=20 h=13 w=12
#include <float.h>
#include <string.h>
void pool(const float *in, float *out, unsigned char *mask, int c, int h, int w) {
    int oh = (h + 2 - 3) / 2 + 1, ow = (w + 2 - 3) / 2 + 1;
    memset(mask, 0, (size_t)c * oh * ow * 9);
    for (int k = 0; k < c; k++)
        for (int y = 0; y < oh; y++)
            for (int x = 0; x < ow; x++) {
                float best = -FLT_MAX;
                int arg = -1;
                for (int j = 0; j < 9; j++) {
                    int iy = y * 2 - 1 + j / 3, ix = x * 2 - 1 + j % 3;
                    if (iy < 0 || iy >= h || ix < 0 || ix >= w) continue;
                    float v = in[(k * h + iy) * w + ix];
                    if (v > best) { best = v; arg = j; }
                }
                out[(k * oh + y) * ow + x] = best;
                mask[((k * oh + y) * ow + x) * 9 + arg] = 1;
            }
}
