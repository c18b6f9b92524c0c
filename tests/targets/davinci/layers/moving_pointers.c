// pools: average over 3 x 3, stride 2 x 2, padding 1 1 1 1, of 9 x 11 x 40, backward
// sizes: count=2 maps=20 rows=9 columns=11 down=5 across=6 size=3 step=2 margin=1
#define LEAST(a, b) ((a) < (b) ? (a) : (b))
#define MOST(a, b) ((a) > (b) ? (a) : (b))
void spread(const float *out, float *in, int count, int maps, int rows, int columns, int down,
            int across, int size, int step, int margin)
{
    float *all = in;
    for (int i = 0; i < count * maps * rows * columns; i++)
        *all++ = 0;
    for (int n = 0; n < count * maps; ++n) {
        for (int y = 0; y < down; ++y)
            for (int x = 0; x < across; ++x) {
                int first = y * step - margin, start = x * step - margin;
                int last = LEAST(first + size, rows + margin);
                int end = LEAST(start + size, columns + margin);
                int points = (last - first) * (end - start);
                first = MOST(first, 0);
                start = MOST(start, 0);
                last = LEAST(last, rows);
                end = LEAST(end, columns);
                for (int v = first; v < last; ++v)
                    for (int u = start; u < end; ++u)
                        in[v * columns + u] += out[y * across + x] / points;
            }
        in += rows * columns;
        out += down * across;
    }
}
