/* Filters of bytes with a radius, with and without borders, and polynomials at many points. */
#include "soundness/numbers.h"

static void filter(const unsigned char *in, unsigned char *out, const float *taps, int r, int w, int h)
{
    {
        /* s2s: iterations of 'x' side by side */
        if (/* sizes for which this is right */
            h >= 1 && r >= 0 && w >= 2L * r + 1
            /* 'in' and 'out' do not overlap */
            && ((const char *)(in + h * (long)w) <= (const char *)out
                || (const char *)(out + h * (long)w) <= (const char *)in)
            /* 'out' and 'taps' do not overlap */
            && ((const char *)(out + h * (long)w) <= (const char *)taps
                || (const char *)(taps + 2L * r + 1) <= (const char *)out)) {
            for (long s2s_x_strip = r - (255L * r + 255) / 256;
                 s2s_x_strip <= (255L * r + w + 255) / 256 - r - 1; s2s_x_strip++) {
                float s2s_sum_values[256] __attribute__((aligned(64)));
                if (0 < h) {
                    const int s2s_y_last = h;
                    for (int y = 0; y < s2s_y_last; y++) {
                        {
                            long s2s_x_begin = 256 * s2s_x_strip;
                            long s2s_x_end = 256 * s2s_x_strip + 255;
                            if (s2s_x_begin < r) s2s_x_begin = r;
                            if (s2s_x_end > (long)w - r - 1) s2s_x_end = (long)w - r - 1;
                            if (s2s_x_begin <= s2s_x_end) {
                                const int s2s_x_last = (int)s2s_x_end;
#pragma omp simd
                                for (int x = (int)s2s_x_begin; x <= s2s_x_last; x++) {
                                    s2s_sum_values[x - 256 * s2s_x_strip] = 0;
                                }
                            }
                        }
                        if (-(long)r <= r) {
                            const int s2s_i_last = r;
                            for (int i = (int)(-(long)r); i <= s2s_i_last; i++) {
                                long s2s_x_begin = 256 * s2s_x_strip;
                                long s2s_x_end = 256 * s2s_x_strip + 255;
                                if (s2s_x_begin < r) s2s_x_begin = r;
                                if (s2s_x_end > (long)w - r - 1) s2s_x_end = (long)w - r - 1;
                                if (s2s_x_begin <= s2s_x_end) {
                                    const int s2s_x_last = (int)s2s_x_end;
#pragma omp simd
                                    for (int x = (int)s2s_x_begin; x <= s2s_x_last; x++) {
                                        s2s_sum_values[x - 256 * s2s_x_strip] +=
                                                taps[i + r] * in[y * w + x + i];
                                    }
                                }
                            }
                        }
                        {
                            long s2s_x_begin = 256 * s2s_x_strip;
                            long s2s_x_end = 256 * s2s_x_strip + 255;
                            if (s2s_x_begin < r) s2s_x_begin = r;
                            if (s2s_x_end > (long)w - r - 1) s2s_x_end = (long)w - r - 1;
                            if (s2s_x_begin <= s2s_x_end) {
                                const int s2s_x_last = (int)s2s_x_end;
#pragma omp simd
                                for (int x = (int)s2s_x_begin; x <= s2s_x_last; x++) {
                                    out[y * w + x] =
                                            (unsigned char)(
                                                s2s_sum_values[x - 256 * s2s_x_strip] + 0.5f);
                                }
                            }
                        }
                    }
                }
            }
        } else {
    for (int y = 0; y < h; y++)
        for (int x = r; x < w - r; x++) {
            float sum = 0;
            for (int i = -r; i <= r; i++) sum += taps[i + r] * in[y * w + x + i];
            out[y * w + x] = (unsigned char)(sum + 0.5f);
        }
        }
    }
}

static int row(int y, int h)
{
    if (y < 0) return 0;
    if (y >= h) return h - 1;
    return y;
}

static void blur(const unsigned char *in, unsigned char *out, int r, int w, int h)
{
    {
        /* s2s: iterations of 'x' side by side, split at the edges */
        if (/* sizes for which this is right */
            h >= 1 && w >= 1
            /* 'in' and 'out' do not overlap */
            && ((const char *)(in + h * (long)w) <= (const char *)out
                || (const char *)(out + h * (long)w) <= (const char *)in)) {
            for (long s2s_x_strip = 0; s2s_x_strip <= ((long)w + 255) / 256 - 1; s2s_x_strip++) {
                int s2s_sum_values[256] __attribute__((aligned(64)));
                if (0 < h) {
                    const int s2s_y_last = h;
                    for (int y = 0; y < s2s_y_last; y++) {
                        {
                            long s2s_x_end = 256 * s2s_x_strip + 255;
                            if (s2s_x_end > w - 1) s2s_x_end = w - 1;
                            if (256 * s2s_x_strip <= s2s_x_end) {
                                const int s2s_x_last = (int)s2s_x_end;
#pragma omp simd
                                for (int x = (int)(256 * s2s_x_strip); x <= s2s_x_last; x++) {
                                    s2s_sum_values[x - 256 * s2s_x_strip] = 0;
                                }
                            }
                        }
                        if (-(long)r <= r) {
                            const int s2s_j_last = r;
                            for (int j = (int)(-(long)r); j <= s2s_j_last; j++) {
                                if (-(long)r <= r) {
                                    const int s2s_i_last = r;
                                    for (int i = (int)(-(long)r); i <= s2s_i_last; i++) {
                                        {
                                            long s2s_x_end = 256 * s2s_x_strip + 255;
                                            if (s2s_x_end > r - 1) s2s_x_end = r - 1;
                                            if (s2s_x_end > (long)w - r - 1)
                                                s2s_x_end = (long)w - r - 1;
                                            if (256 * s2s_x_strip <= s2s_x_end) {
                                                const int s2s_x_last = (int)s2s_x_end;
                                                for (int x = (int)(256 * s2s_x_strip);
                                                     x <= s2s_x_last; x++) {
                                                    {
                                                        int yy = ((y + j) < 0 ? 0 : (y + j) >= h ? h - 1 : (y + j)),
                                                            xx = x + i;
                                                        if (xx < 0) xx = 0;
                                                        if (xx >= w) xx = w - 1;
                                                        s2s_sum_values[x - 256 * s2s_x_strip] += in[yy * w + xx];
                                                    }
                                                }
                                            }
                                        }
                                        {
                                            long s2s_x_begin = 256 * s2s_x_strip;
                                            long s2s_x_end = 256 * s2s_x_strip + 255;
                                            if (s2s_x_begin < r) s2s_x_begin = r;
                                            if (s2s_x_end > (long)w - r - 1)
                                                s2s_x_end = (long)w - r - 1;
                                            if (s2s_x_begin <= s2s_x_end) {
                                                const int s2s_x_last = (int)s2s_x_end;
#pragma omp simd
                                                for (int x = (int)s2s_x_begin; x <= s2s_x_last;
                                                     x++) {
                                                    {
                                                        int yy = ((y + j) < 0 ? 0 : (y + j) >= h ? h - 1 : (y + j)),
                                                            xx = x + i;
                                                        s2s_sum_values[x - 256 * s2s_x_strip] += in[yy * w + xx];
                                                    }
                                                }
                                            }
                                        }
                                        {
                                            long s2s_x_begin = 256 * s2s_x_strip;
                                            long s2s_x_end = 256 * s2s_x_strip + 255;
                                            if (s2s_x_begin < (long)w - r)
                                                s2s_x_begin = (long)w - r;
                                            if (s2s_x_end > w - 1) s2s_x_end = w - 1;
                                            if (s2s_x_begin <= s2s_x_end) {
                                                const int s2s_x_last = (int)s2s_x_end;
                                                for (int x = (int)s2s_x_begin; x <= s2s_x_last;
                                                     x++) {
                                                    {
                                                        int yy = ((y + j) < 0 ? 0 : (y + j) >= h ? h - 1 : (y + j)),
                                                            xx = x + i;
                                                        if (xx < 0) xx = 0;
                                                        if (xx >= w) xx = w - 1;
                                                        s2s_sum_values[x - 256 * s2s_x_strip] += in[yy * w + xx];
                                                    }
                                                }
                                            }
                                        }
                                    }
                                }
                            }
                        }
                        {
                            long s2s_x_end = 256 * s2s_x_strip + 255;
                            if (s2s_x_end > w - 1) s2s_x_end = w - 1;
                            if (256 * s2s_x_strip <= s2s_x_end) {
                                const int s2s_x_last = (int)s2s_x_end;
#pragma omp simd
                                for (int x = (int)(256 * s2s_x_strip); x <= s2s_x_last; x++) {
                                    out[y * w + x] =
                                            (unsigned char)(
                                                s2s_sum_values[x - 256 * s2s_x_strip]
                                                / ((2 * r + 1) * (2 * r + 1)));
                                }
                            }
                        }
                    }
                }
            }
        } else {
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            int sum = 0;
            for (int j = -r; j <= r; j++)
                for (int i = -r; i <= r; i++) {
                    int yy = row(y + j, h), xx = x + i;
                    if (xx < 0) xx = 0;
                    if (xx >= w) xx = w - 1;
                    sum += in[yy * w + xx];
                }
            out[y * w + x] = (unsigned char)(sum / ((2 * r + 1) * (2 * r + 1)));
        }
        }
    }
}

static void weigh(const unsigned char *in, float *out, const float *taps, int r, int w, int h)
{
    {
        /* s2s: iterations of 'x' side by side */
        if (/* sizes for which this is right */
            r >= 0 && h >= 2L * r + 1 && w >= 2L * r + 1
            /* 'in' and 'out' do not overlap */
            && ((const char *)(in + h * (long)w) <= (const char *)(out + r * (long)w)
                || (const char *)(out + ((long)h - r) * (long)w) <= (const char *)in)
            /* 'out' and 'taps' do not overlap */
            && ((const char *)(out + ((long)h - r) * (long)w) <= (const char *)taps
                || (const char *)(taps + (2L * r + 1) * (long)(2L * (long)r + 1))
                   <= (const char *)(out + r * (long)w))) {
            for (long s2s_x_strip = r - (255L * r + 255) / 256;
                 s2s_x_strip <= (255L * r + w + 255) / 256 - r - 1; s2s_x_strip++) {
                if (r < (long)h - r) {
                    const int s2s_y_last = (int)((long)h - r);
                    for (int y = r; y < s2s_y_last; y++) {
                        {
                            long s2s_x_begin = 256 * s2s_x_strip;
                            long s2s_x_end = 256 * s2s_x_strip + 255;
                            if (s2s_x_begin < r) s2s_x_begin = r;
                            if (s2s_x_end > (long)w - r - 1) s2s_x_end = (long)w - r - 1;
                            if (s2s_x_begin <= s2s_x_end) {
                                const int s2s_x_last = (int)s2s_x_end;
#pragma omp simd
                                for (int x = (int)s2s_x_begin; x <= s2s_x_last; x++) {
                                    out[y * w + x] = 0;
                                }
                            }
                        }
                        if (-(long)r <= r) {
                            const int s2s_j_last = r;
                            for (int j = (int)(-(long)r); j <= s2s_j_last; j++) {
                                if (-(long)r <= r) {
                                    const int s2s_i_last = r;
                                    for (int i = (int)(-(long)r); i <= s2s_i_last; i++) {
                                        long s2s_x_begin = 256 * s2s_x_strip;
                                        long s2s_x_end = 256 * s2s_x_strip + 255;
                                        if (s2s_x_begin < r) s2s_x_begin = r;
                                        if (s2s_x_end > (long)w - r - 1)
                                            s2s_x_end = (long)w - r - 1;
                                        if (s2s_x_begin <= s2s_x_end) {
                                            const int s2s_x_last = (int)s2s_x_end;
#pragma omp simd
                                            for (int x = (int)s2s_x_begin; x <= s2s_x_last; x++) {
                                                out[y * w + x] +=
                                                        taps[
                                                            (long)((long)j - (-r)) * (r - (-r) + 1)
                                                            + ((long)i - (-r))]
                                                        * in[(y + j) * w + x + i];
                                            }
                                        }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        } else {
    for (int y = r; y < h - r; y++)
        for (int x = r; x < w - r; x++) {
            const float *tap = taps;
            float sum = 0;
            for (int j = -r; j <= r; j++)
                for (int i = -r; i <= r; i++) sum += *tap++ * in[(y + j) * w + x + i];
            out[y * w + x] = sum;
        }
        }
    }
}

static void evaluate(const double *x, float *y, int n, const double *c, int degree)
{
    {
        /* s2s: iterations of 'i' side by side */
        if (n >= 1) {
            for (long s2s_i_strip = 0; s2s_i_strip <= ((long)n + 255) / 256 - 1; s2s_i_strip++) {
                double s2s_p_values[256] __attribute__((aligned(64)));
                {
                    long s2s_i_end = 256 * s2s_i_strip + 255;
                    if (s2s_i_end > n - 1) s2s_i_end = n - 1;
                    if (256 * s2s_i_strip <= s2s_i_end) {
                        const int s2s_i_last = (int)s2s_i_end;
#pragma omp simd
                        for (int i = (int)(256 * s2s_i_strip); i <= s2s_i_last; i++) {
                            s2s_p_values[i - 256 * s2s_i_strip] = c[degree];
                        }
                    }
                }
                if (degree >= 1) {
                    for (int k = degree - 1; k >= 0; k--) {
                        long s2s_i_end = 256 * s2s_i_strip + 255;
                        if (s2s_i_end > n - 1) s2s_i_end = n - 1;
                        if (256 * s2s_i_strip <= s2s_i_end) {
                            const int s2s_i_last = (int)s2s_i_end;
#pragma omp simd
                            for (int i = (int)(256 * s2s_i_strip); i <= s2s_i_last; i++) {
                                s2s_p_values[i - 256 * s2s_i_strip] =
                                        s2s_p_values[i - 256 * s2s_i_strip] * x[i] + c[k];
                            }
                        }
                    }
                }
                {
                    long s2s_i_end = 256 * s2s_i_strip + 255;
                    if (s2s_i_end > n - 1) s2s_i_end = n - 1;
                    if (256 * s2s_i_strip <= s2s_i_end) {
                        const int s2s_i_last = (int)s2s_i_end;
#pragma omp simd
                        for (int i = (int)(256 * s2s_i_strip); i <= s2s_i_last; i++) {
                            y[i] = (float)s2s_p_values[i - 256 * s2s_i_strip];
                        }
                    }
                }
            }
        } else {
    for (int i = 0; i < n; i++) {
        double p = c[degree];
        for (int k = degree - 1; k >= 0; k--) p = p * x[i] + c[k];
        y[i] = (float)p;
    }
        }
    }
}

int main(void)
{
    unsigned char in[40 * 70], out[40 * 70] = {0};
    float taps[81], y[300], sums[40 * 70] = {0};
    double *x = numbers(300, 1), *c = numbers(9, 2);
    for (int k = 0; k < 40 * 70; k++) in[k] = (unsigned char)(k * 7 % 251);
    for (int k = 0; k < 81; k++) taps[k] = 1.0f / (float)(k + 9);
    for (int r = 0; r < 5; r++) {
        filter(in, out, taps, r, 70, 40);
        show("filter", out, sizeof out);
        blur(in, out, r, 70, 40);
        show("blur", out, sizeof out);
        weigh(in, sums, taps, r, 70, 40);
        show("weigh", sums, sizeof sums);
        evaluate(x, y, 300 - r, c, r);
        show("evaluate", y, sizeof y);
    }
    return 0;
}
