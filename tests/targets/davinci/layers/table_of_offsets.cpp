// pools: maximum over 2 x 3, stride 2 x 2, of 8 x 11 x 16
// sizes: w=11 h=8 n=16
#include <algorithm>
#include <limits>
static inline float pick(const float *from, const int *table, int count)
{
    float m = std::numeric_limits<float>::lowest();
    int k = 0;
    do {
        m = std::max(m, from[table[k]]);
    } while (++k < count);
    return m;
}
void forward(const float *in, float *out, int w, int h, int n)
{
    int offsets[6] = {0}, place = 0, k = 0;
    for (int i = 0; i < 2; i++, place += w - 3)
        for (int j = 0; j < 3; j++)
            offsets[k++] = place++;
    for (int q = 0; q < n; q++, in += w * h) {
        int i = 0;
        while (true) {
            if (i + 2 > h)
                break;
            for (int j = 0; j + 3 <= w; j += 2)
                *out++ = pick(in + i * w + j, offsets, 6);
            i += 2;
        }
    }
}
