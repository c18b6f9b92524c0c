// pools: maximum over 3 x 2, stride 2 x 3, padding 1 0 1 0, of 8 x 10 x 18 (2 of them), with the numbers of its points
// sizes: images=2 depth=18 in.rows=9 in.columns=10 out.rows=4 out.columns=4 high=3 wide=2 down=2 right=3 top=1 left=1
#include <float.h>
struct size { int rows, columns; };
struct layer {
    struct size in, out;
    int images, depth, high, wide, down, right, top, left;
    float *values;
    int *places;
};
void forward(struct layer l, const float *data)
{
    int b, k, i, j, m, n;
    for (b = 0; b < l.images; ++b)
        for (k = 0; k < l.depth; ++k)
            for (i = 0; i < l.out.rows; ++i)
                for (j = 0; j < l.out.columns; ++j) {
                    int to = j + l.out.columns * (i + l.out.rows * (k + l.depth * b));
                    float best = -FLT_MAX;
                    int place = -1;
                    for (n = 0; n < l.high; ++n)
                        for (m = 0; m < l.wide; ++m) {
                            int y = i * l.down - l.top + n, x = j * l.right - l.left + m;
                            int at = x + l.in.columns * (y + l.in.rows * (k + b * l.depth));
                            int inside = y >= 0 && y < l.in.rows && x >= 0 && x < l.in.columns;
                            float v = inside ? data[at] : -FLT_MAX;
                            place = (v > best) ? at : place;
                            best = (v > best) ? v : best;
                        }
                    l.values[to] = best;
                    if (l.places)
                        l.places[to] = place;
                }
}
