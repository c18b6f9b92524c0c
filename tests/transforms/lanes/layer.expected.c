/* Threads share what is around the sums' loops; few columns are enough. */
#include "soundness/numbers.h"

static void layer(const float *in, const float *w, const float *bias, float *out, int c, int k, int size)
{
    {
        /* s2s: iterations of 'x' side by side, parallel outside */
        if (/* sizes for which this is right */
            k >= 1 && size >= 1
            /* 'bias' and 'out' do not overlap */
            && ((const char *)(bias + k) <= (const char *)out
                || (const char *)(out + k * (long)size * (long)size) <= (const char *)bias)
            /* 'in' and 'out' do not overlap */
            && ((const char *)(in + c * (long)size * (long)((long)size + 2))
                <= (const char *)out
                || (const char *)(out + k * (long)size * (long)size) <= (const char *)in)
            /* 'out' and 'w' do not overlap */
            && ((const char *)(out + k * (long)size * (long)size) <= (const char *)w
                || (const char *)(w + k * (long)(3L * c)) <= (const char *)out)) {
#pragma omp parallel for
            for (long s2s_o_line = 0; s2s_o_line <= k - 1; s2s_o_line++) {
                for (long s2s_x_strip = 0; s2s_x_strip <= ((long)size + 255) / 256 - 1;
                     s2s_x_strip++) {
                    const int o = (int)s2s_o_line;
                    for (int y = 0; y < size; y++) {
                        {
                            long s2s_x_end = 256 * s2s_x_strip + 255;
                            if (s2s_x_end > size - 1) s2s_x_end = size - 1;
#pragma omp simd
                            for (int x = (int)(256 * s2s_x_strip); x <= s2s_x_end; x++) {
                                out[(o * size + y) * size + x] = bias[o];
                            }
                        }
                        for (int i = 0; i < c; i++) {
                            for (int b = 0; b <= 2; b++) {
                                long s2s_x_end = 256 * s2s_x_strip + 255;
                                if (s2s_x_end > size - 1) s2s_x_end = size - 1;
#pragma omp simd
                                for (int x = (int)(256 * s2s_x_strip); x <= s2s_x_end; x++) {
                                    out[(o * size + y) * size + x] +=
                                            in[(i * size + y) * (size + 2) + x + b]
                                            * w[(o * c + i) * 3 + b];
                                }
                            }
                        }
                        {
                            long s2s_x_end = 256 * s2s_x_strip + 255;
                            if (s2s_x_end > size - 1) s2s_x_end = size - 1;
#pragma omp simd
                            for (int x = (int)(256 * s2s_x_strip); x <= s2s_x_end; x++) {
                                out[(o * size + y) * size + x] = out[(o * size + y) * size + x] > 0
                                                                 ? out[(o * size + y) * size + x]
                                                                 : 0;
                            }
                        }
                    }
                }
            }
        } else {
    for (int o = 0; o < k; o++)
        for (int y = 0; y < size; y++)
            for (int x = 0; x < size; x++) {
                float sum = bias[o];
                for (int i = 0; i < c; i++)
                    for (int b = 0; b < 3; b++)
                        sum += in[(i * size + y) * (size + 2) + x + b] * w[(o * c + i) * 3 + b];
                out[(o * size + y) * size + x] = sum > 0 ? sum : 0;
            }
        }
    }
}

/* The first loop has three iterations, the second one is as good. */
static void planes(const double *in, double *out, const double *taps, int r, int h, int w, int row)
{
    {
        /* s2s: iterations of 'x' side by side, parallel outside */
        if (/* sizes for which this is right */
            ((h >= 1 && w >= 1 && r <= 0)
             || (h >= 1 && w >= 1 && r >= 1 && (long)row + 1 >= (long)w + r))
            /* 'in' and 'out' do not overlap */
            && ((const char *)(in + 3 * (long)h * (long)row) <= (const char *)out
                || (const char *)(out + 3 * (long)h * (long)w) <= (const char *)in)
            /* 'out' and 'taps' do not overlap */
            && ((const char *)(out + 3 * (long)h * (long)w) <= (const char *)taps
                || (const char *)(taps + r) <= (const char *)out)) {
#pragma omp parallel for
            for (long s2s_y_line = 0; s2s_y_line <= h - 1; s2s_y_line++) {
                for (long s2s_x_strip = 0; s2s_x_strip <= ((long)w + 255) / 256 - 1;
                     s2s_x_strip++) {
                    const int y = (int)s2s_y_line;
                    for (int p = 0; p <= 2; p++) {
                        {
                            long s2s_x_end = 256 * s2s_x_strip + 255;
                            if (s2s_x_end > w - 1) s2s_x_end = w - 1;
#pragma omp simd
                            for (int x = (int)(256 * s2s_x_strip); x <= s2s_x_end; x++) {
                                out[(p * h + y) * w + x] = 0;
                            }
                        }
                        for (int i = 0; i < r; i++) {
                            long s2s_x_end = 256 * s2s_x_strip + 255;
                            if (s2s_x_end > w - 1) s2s_x_end = w - 1;
#pragma omp simd
                            for (int x = (int)(256 * s2s_x_strip); x <= s2s_x_end; x++) {
                                out[(p * h + y) * w + x] += taps[i] * in[(p * h + y) * row + x + i];
                            }
                        }
                        {
                            long s2s_x_end = 256 * s2s_x_strip + 255;
                            if (s2s_x_end > w - 1) s2s_x_end = w - 1;
#pragma omp simd
                            for (int x = (int)(256 * s2s_x_strip); x <= s2s_x_end; x++) {
                                out[(p * h + y) * w + x] = out[(p * h + y) * w + x] / 3;
                            }
                        }
                    }
                }
            }
        } else {
    for (int p = 0; p < 3; p++)
        for (int y = 0; y < h; y++)
            for (int x = 0; x < w; x++) {
                double sum = 0;
                for (int i = 0; i < r; i++) sum += taps[i] * in[(p * h + y) * row + x + i];
                out[(p * h + y) * w + x] = sum / 3;
            }
        }
    }
}

/* Rows depend on each other: threads share strips of them. */
static void below(const double *a, double *b, const double *taps, int r, int h, int w, int row)
{
    {
        /* s2s: iterations of 'x' side by side */
#ifdef _OPENMP
        extern int omp_get_max_threads(void), omp_get_num_procs(void);
        const int s2s_threads = omp_get_max_threads() < omp_get_num_procs() ? omp_get_max_threads()
                                : omp_get_num_procs();
#else
        const int s2s_threads = 1;
#endif
        if (/* sizes for which this is right */
            ((h >= 2 && w >= 1 && r <= 0)
             || (h >= 2 && w >= 1 && r >= 1 && (long)row + 1 >= (long)w + r))
            /* 'a' and 'b' do not overlap */
            && ((const char *)(a + h * (long)row) <= (const char *)b
                || (const char *)(b + h * (long)w) <= (const char *)(a + (long)row))
            /* 'b' and 'taps' do not overlap */
            && ((const char *)(b + h * (long)w) <= (const char *)taps
                || (const char *)(taps + r) <= (const char *)b)) {
            long s2s_width = ((long)(w - 1) / s2s_threads / 4 + 1) * 4;
            if (s2s_width > 256) s2s_width = 256;
#pragma omp parallel for
            for (long s2s_x_strip = 0; s2s_x_strip <= w - 1; s2s_x_strip += s2s_width) {
                if (1 < h) {
                    const int s2s_y_last = h;
                    for (int y = 1; y < s2s_y_last; y++) {
                        {
                            long s2s_x_end = s2s_x_strip + s2s_width;
                            if (s2s_x_end > w) s2s_x_end = w;
                            if (s2s_x_strip < s2s_x_end) {
                                const int s2s_x_last = (int)s2s_x_end;
#pragma omp simd
                                for (int x = (int)s2s_x_strip; x < s2s_x_last; x++) {
                                    b[y * w + x] = b[(y - 1) * w + x];
                                }
                            }
                        }
                        if (0 < r) {
                            const int s2s_i_last = r;
                            for (int i = 0; i < s2s_i_last; i++) {
                                long s2s_x_end = s2s_x_strip + s2s_width;
                                if (s2s_x_end > w) s2s_x_end = w;
                                if (s2s_x_strip < s2s_x_end) {
                                    const int s2s_x_last = (int)s2s_x_end;
#pragma omp simd
                                    for (int x = (int)s2s_x_strip; x < s2s_x_last; x++) {
                                        b[y * w + x] += taps[i] * a[y * row + x + i];
                                    }
                                }
                            }
                        }
                    }
                }
            }
        } else {
    for (int y = 1; y < h; y++)
        for (int x = 0; x < w; x++) {
            double sum = b[(y - 1) * w + x];
            for (int i = 0; i < r; i++) sum += taps[i] * a[y * row + x + i];
            b[y * w + x] = sum;
        }
        }
    }
}

int main(void)
{
    const double *numbered = numbers(3 * 20 * 309, 1), *taps = numbers(9, 2);
    static float in[5 * 40 * 42], w[7 * 5 * 3], bias[7], out[7 * 40 * 40];
    static double b[3 * 20 * 300];
    for (int k = 0; k < 5 * 40 * 42; k++) in[k] = (float)numbered[k];
    for (int k = 0; k < 7 * 5 * 3; k++) w[k] = (float)numbered[k] - 0.5f;
    for (int size = 40; size > 0; size -= 13) {
        layer(in, w, bias, out, size % 6, 7, size);
        show("layer", out, sizeof out);
        planes(numbered, b, taps, size % 10, 20, size * 7, size * 7 + 9);
        show("planes", b, sizeof b);
        below(numbered, b, taps, size % 9, 60, size * 7, size * 7 + 9);
        show("below", b, sizeof b);
    }
    return 0;
}
