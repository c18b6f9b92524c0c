// What a block declares is its own: not its neighbours', nor the new loops'.

void f(int n, int m, short *a, short *b, short *c, const int *restrict p, short t)
{
    {
        /* s2s: renamed 1 sink, 2 loops in strips of 256 */
        if (/* sizes for which this is right, and gains */
            n >= 130
            /* 'a' and 'b' do not overlap */
            && ((const char *)(a + (long)n + 1) <= (const char *)(b + 1)
                || (const char *)(b + (long)n - 1) <= (const char *)(a + 1))
            /* 'a' and 'c' do not overlap */
            && ((const char *)(a + (long)n + 1) <= (const char *)(c + 1)
                || (const char *)(c + (long)n - 1) <= (const char *)(a + 1))
            /* 'b' and 'c' do not overlap */
            && ((const char *)(b + (long)n - 1) <= (const char *)(c + 1)
                || (const char *)(c + (long)n - 1) <= (const char *)(b + 1))) {
            short s2s_a_S3_1[258] __attribute__((aligned(64)));
            for (long s2s_i_strip = -((long)n + 253) / 256; s2s_i_strip <= -1;
                 s2s_i_strip++) {
                if (s2s_i_strip > -((long)n + 253) / 256) {
                    for (int s2s_carried = 0; s2s_carried < 2; s2s_carried++)
                        s2s_a_S3_1[s2s_carried] = s2s_a_S3_1[s2s_carried + 256];
                }
                {
                    long s2s_i_begin = 256 * s2s_i_strip;
                    long s2s_i_end = 256 * s2s_i_strip + 255;
                    if (s2s_i_begin < 2L - n) s2s_i_begin = 2L - n;
                    if (s2s_i_end > 3L - n) s2s_i_end = 3L - n;
                    if (s2s_i_begin <= s2s_i_end) {
                        const int s2s_i_first = (int)(-s2s_i_begin),
                                  s2s_i_last = (int)(-s2s_i_end);
                        for (int i = s2s_i_first; i >= s2s_i_last; i--) {
                            {
                                short t = a[i]; a[i] = t; b[i] = t * 2 + c[i];
                            }
                            {
                                short t = a[i]; a[i] = t; b[i] = t * 2 + a[i + 2];
                            }
                            s2s_a_S3_1[2 - (long)i - 256 * s2s_i_strip] = p[i];
                        }
                    }
                }
                {
                    long s2s_i_begin = 256 * s2s_i_strip;
                    if (s2s_i_begin < 4L - n) s2s_i_begin = 4L - n;
                    if (s2s_i_begin <= 256 * s2s_i_strip + 255) {
                        const int s2s_i_first = (int)(-s2s_i_begin),
                                  s2s_i_last = (int)(-(256 * s2s_i_strip + 255));
                        for (int i = s2s_i_first; i >= s2s_i_last; i--) {
                            {
                                short t = a[i]; a[i] = t; b[i] = t * 2 + c[i];
                            }
                            s2s_a_S3_1[2 - (long)i - 256 * s2s_i_strip] = p[i];
                        }
                    }
                }
                {
                    long s2s_i_begin = 256 * s2s_i_strip;
                    long s2s_i_end = 256 * s2s_i_strip + 255;
                    if (s2s_i_begin < 2L - n) s2s_i_begin = 2L - n;
                    if (s2s_i_end > 3L - n) s2s_i_end = 3L - n;
                    if (s2s_i_begin <= s2s_i_end) {
                        const int s2s_i_first = (int)(-s2s_i_begin),
                                  s2s_i_last = (int)(-s2s_i_end);
                        for (int i = s2s_i_first; i >= s2s_i_last; i--) {
                            a[i] = s2s_a_S3_1[2 - (long)i - 256 * s2s_i_strip];
                        }
                    }
                }
                {
                    long s2s_i_begin = 256 * s2s_i_strip;
                    if (s2s_i_begin < 4L - n) s2s_i_begin = 4L - n;
                    if (s2s_i_begin <= 256 * s2s_i_strip + 255) {
                        const int s2s_i_first = (int)(-s2s_i_begin),
                                  s2s_i_last = (int)(-(256 * s2s_i_strip + 255));
                        for (int i = s2s_i_first; i >= s2s_i_last; i--) {
                            {
                                short t = a[i];
                                a[i] = t;
                                b[i] = t * 2
                                       + s2s_a_S3_1[
                                             0 - (long)i - 256 * s2s_i_strip];
                            }
                            a[i] = s2s_a_S3_1[2 - (long)i - 256 * s2s_i_strip];
                        }
                    }
                }
            }
        } else {
    for (int i = n - 2; i > 0; i--) {
        { short t = a[i]; a[i] = t; b[i] = t * 2 + c[i]; }
        { short t = a[i]; a[i] = t; b[i] = t * 2 + a[i + 2]; }
        a[i] = p[i];
    }
        }
    }
}
