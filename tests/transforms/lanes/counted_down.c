// s2s: --force --parallel --passes=lanes
// text: side by side
/* Threads share the strips where the rows are counted down. */
static int inside(int v, int last)
{
    if (v < 0) return 0;
    if (v > last) return last;
    return v;
}

void blur(const unsigned char *restrict q, unsigned char *restrict p, int w, int h)
{
    // remark: side by side
    for (int y = h; y > 0; y--)
        for (int x = 0; x < w; x++) {
            int s = 0;
            for (int i = -3; i <= 3; i++)
                for (int j = -3; j <= 3; j++)
                    s += q[inside(y + i, h - 1) * w + inside(x + j, w - 1)];
            p[y * w + x] = s / 49;
        }
}
