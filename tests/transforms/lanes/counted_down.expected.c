/* Threads share the strips where the rows are counted down. */
static int inside(int v, int last)
{
    if (v < 0) return 0;
    if (v > last) return last;
    return v;
}

void blur(const unsigned char *restrict q, unsigned char *restrict p, int w, int h)
{

    {
        /* s2s: iterations of 'x' side by side, split at the edges */
#ifdef _OPENMP
        extern int omp_get_max_threads(void), omp_get_num_procs(void);
        const int s2s_threads = omp_get_max_threads() < omp_get_num_procs() ? omp_get_max_threads()
                                : omp_get_num_procs();
#else
        const int s2s_threads = 1;
#endif
        if (h >= 1 && w >= 1) {
            long s2s_width = ((long)(w - 1) / s2s_threads / 4 + 1) * 4;
            if (s2s_width > 256) s2s_width = 256;
#pragma omp parallel for
            for (long s2s_x_strip = 0; s2s_x_strip <= w - 1; s2s_x_strip += s2s_width) {
                int s2s_s_values[256] __attribute__((aligned(64)));
                if ((long)h > 0) {
                    const int s2s_y_first = (int)((long)h);
                    for (int y = s2s_y_first; y > 0; y--) {
                        {
                            long s2s_x_end = s2s_x_strip + s2s_width;
                            if (s2s_x_end > w) s2s_x_end = w;
                            if (s2s_x_strip < s2s_x_end) {
                                const int s2s_x_last = (int)s2s_x_end;
#pragma omp simd
                                for (int x = (int)s2s_x_strip; x < s2s_x_last; x++) {
                                    s2s_s_values[x - s2s_x_strip] = 0;
                                }
                            }
                        }
                        for (int i = -3; i <= 3; i++) {
                            for (int j = -3; j <= 3; j++) {
                                {
                                    long s2s_x_end = 2;
                                    if (s2s_x_end > s2s_x_strip + s2s_width - 1)
                                        s2s_x_end = s2s_x_strip + s2s_width - 1;
                                    if (s2s_x_end > w - 1) s2s_x_end = w - 1;
                                    if (s2s_x_strip <= s2s_x_end) {
                                        const int s2s_x_last = (int)s2s_x_end;
#pragma omp simd
                                        for (int x = (int)s2s_x_strip; x <= s2s_x_last; x++) {
                                            s2s_s_values[x - s2s_x_strip] +=
                                                    q[((y + i) < 0 ? 0 : (y + i) > (h - 1)
                                                       ? (h - 1) : (y + i)) * w
                                                      + ((x + j) < 0 ? 0 : (x + j) > (w - 1)
                                                         ? (w - 1) : (x + j))];
                                        }
                                    }
                                }
                                {
                                    long s2s_x_begin = 3;
                                    long s2s_x_end = s2s_x_strip + s2s_width;
                                    if (s2s_x_begin < s2s_x_strip) s2s_x_begin = s2s_x_strip;
                                    if (s2s_x_end > (long)w - 3) s2s_x_end = (long)w - 3;
                                    if (s2s_x_begin < s2s_x_end) {
                                        const int s2s_x_last = (int)s2s_x_end;
#pragma omp simd
                                        for (int x = (int)s2s_x_begin; x < s2s_x_last; x++) {
                                            s2s_s_values[x - s2s_x_strip] +=
                                                    q[((y + i) < 0 ? 0 : (y + i) > (h - 1)
                                                       ? (h - 1) : (y + i)) * w + (((x + j)))];
                                        }
                                    }
                                }
                                {
                                    long s2s_x_begin = 3;
                                    long s2s_x_end = s2s_x_strip + s2s_width;
                                    if (s2s_x_begin < s2s_x_strip) s2s_x_begin = s2s_x_strip;
                                    if (s2s_x_begin < (long)w - 3) s2s_x_begin = (long)w - 3;
                                    if (s2s_x_end > w) s2s_x_end = w;
                                    if (s2s_x_begin < s2s_x_end) {
                                        const int s2s_x_last = (int)s2s_x_end;
#pragma omp simd
                                        for (int x = (int)s2s_x_begin; x < s2s_x_last; x++) {
                                            s2s_s_values[x - s2s_x_strip] +=
                                                    q[((y + i) < 0 ? 0 : (y + i) > (h - 1)
                                                       ? (h - 1) : (y + i)) * w
                                                      + ((x + j) < 0 ? 0 : (x + j) > (w - 1)
                                                         ? (w - 1) : (x + j))];
                                        }
                                    }
                                }
                            }
                        }
                        {
                            long s2s_x_end = s2s_x_strip + s2s_width;
                            if (s2s_x_end > w) s2s_x_end = w;
                            if (s2s_x_strip < s2s_x_end) {
                                const int s2s_x_last = (int)s2s_x_end;
#pragma omp simd
                                for (int x = (int)s2s_x_strip; x < s2s_x_last; x++) {
                                    p[y * w + x] = s2s_s_values[x - s2s_x_strip] / 49;
                                }
                            }
                        }
                    }
                }
            }
        } else {
    for (int y = h; y > 0; y--)
        for (int x = 0; x < w; x++) {
            int s = 0;
            for (int i = -3; i <= 3; i++)
                for (int j = -3; j <= 3; j++)
                    s += q[inside(y + i, h - 1) * w + inside(x + j, w - 1)];
            p[y * w + x] = s / 49;
        }
        }
    }
}
