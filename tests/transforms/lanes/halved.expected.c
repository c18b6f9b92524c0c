/* Filters of any size for each channel, at every second pixel: ends of loops are cases, and are so
   long that they are broken into lines. */
#include "soundness/numbers.h"

static void halve(int channels, int h, int w, int rows, int columns, int size, const double *in,
                  const double *taps, double *restrict out)
{
    {
        /* s2s: iterations of 'x' side by side, split at the edges */
        if (channels >= 1 && rows >= 1 && columns >= 1) {
            for (long s2s_x_strip = 0; s2s_x_strip <= ((long)columns + 255) / 256 - 1;
                 s2s_x_strip++) {
                if (h >= 1) {
                    if (0 < channels) {
                        const int s2s_o_last = channels;
                        for (int o = 0; o < s2s_o_last; o++) {
                            if (size == 1) {
                                {
                                    const int y = 0;
                                    long s2s_x_end = 256 * s2s_x_strip + 255;
                                    if (s2s_x_end > columns - 1) s2s_x_end = columns - 1;
                                    if (256 * s2s_x_strip <= s2s_x_end) {
                                        const int s2s_x_last = (int)s2s_x_end;
#pragma omp simd
                                        for (int x = (int)(256 * s2s_x_strip); x <= s2s_x_last;
                                             x++) {
                                            out[(o * rows + y) * columns + x] = 0;
                                        }
                                    }
                                }
                                {
                                    const int y = 0;
                                    const int b = 0;
                                    const int e = 0;
                                    long s2s_x_end = 256 * s2s_x_strip + 255;
                                    if (s2s_x_end > columns - 1) s2s_x_end = columns - 1;
                                    if (256 * s2s_x_strip <= s2s_x_end) {
                                        const int s2s_x_last = (int)s2s_x_end;
#pragma omp simd
                                        for (int x = (int)(256 * s2s_x_strip); x <= s2s_x_last;
                                             x++) {
                                            {
                                                int y1 = y * 2 + b - 1, x1 = x * 2 + e - 1;
                                            }
                                        }
                                    }
                                }
                            } else if (size <= 0) {
                                long s2s_y_end = rows - 1;
                                if (s2s_y_end > -(long)size - -(long)size / 2)
                                    s2s_y_end = -(long)size - -(long)size / 2;
                                if (s2s_y_end > (long)h / 2) s2s_y_end = (long)h / 2;
                                if (0 <= s2s_y_end) {
                                    const int s2s_y_last = (int)s2s_y_end;
                                    for (int y = 0; y <= s2s_y_last; y++) {
                                        long s2s_x_end = 256 * s2s_x_strip + 255;
                                        if (s2s_x_end > columns - 1) s2s_x_end = columns - 1;
                                        if (256 * s2s_x_strip <= s2s_x_end) {
                                            const int s2s_x_last = (int)s2s_x_end;
#pragma omp simd
                                            for (int x = (int)(256 * s2s_x_strip);
                                                 x <= s2s_x_last; x++) {
                                                out[(o * rows + y) * columns + x] = 0;
                                            }
                                        }
                                    }
                                }
                            }
                            {
                                long s2s_y_begin = 0;
                                long s2s_y_end = rows - 1;
                                if (s2s_y_begin
                                    < ((long)size + 1 < 0 ? -((-((long)size + 1) + 2 - 1) / 2)
                                       : ((long)size + 1) / 2) - size + 1)
                                    s2s_y_begin = ((long)size + 1 < 0
                                                   ? -((-((long)size + 1) + 2 - 1) / 2)
                                                   : ((long)size + 1) / 2) - size + 1;
                                if (s2s_y_end > (long)h / 2) s2s_y_end = (long)h / 2;
                                if (s2s_y_begin <= s2s_y_end) {
                                    const int s2s_y_last = (int)s2s_y_end;
                                    for (int y = (int)s2s_y_begin; y <= s2s_y_last; y++) {
                                        {
                                            long s2s_x_end = 256 * s2s_x_strip + 255;
                                            if (s2s_x_end > columns - 1) s2s_x_end = columns - 1;
                                            if (256 * s2s_x_strip <= s2s_x_end) {
                                                const int s2s_x_last = (int)s2s_x_end;
#pragma omp simd
                                                for (int x = (int)(256 * s2s_x_strip);
                                                     x <= s2s_x_last; x++) {
                                                    out[(o * rows + y) * columns + x] = 0;
                                                }
                                            }
                                        }
                                        for (long s2s_o3 = 0; s2s_o3 < size; s2s_o3++) {
                                            for (long s2s_o4 = 0; s2s_o4 < size; s2s_o4++) {
                                                if (s2s_x_strip == 0 && size == 1 && s2s_o3 == 0
                                                    && s2s_o4 == 0) {
                                                    {
                                                        const int x = 0;
                                                        const int b = 0;
                                                        const int e = 0;
                                                        int y1 = y * 2 + b - 1, x1 = x * 2 + e - 1;
                                                    }
                                                }
                                                {
                                                    const int b = (int)s2s_o3;
                                                    const int e = (int)s2s_o4;
                                                    long s2s_x_begin = 256 * s2s_x_strip;
                                                    long s2s_x_end = 256 * s2s_x_strip + 255;
                                                    if (s2s_x_begin < 2L - size)
                                                        s2s_x_begin = 2L - size;
                                                    if (s2s_x_end > columns - 1)
                                                        s2s_x_end = columns - 1;
                                                    if (s2s_x_end > w - 1) s2s_x_end = w - 1;
                                                    if (s2s_x_end
                                                        > ((long)w < 0 ? -((-(long)w + 2 - 1) / 2)
                                                           : (long)w / 2))
                                                        s2s_x_end = ((long)w < 0
                                                                     ? -((-(long)w + 2 - 1) / 2)
                                                                     : (long)w / 2);
                                                    if (s2s_x_begin <= s2s_x_end) {
                                                        const int s2s_x_last = (int)s2s_x_end;
                                                        for (int x = (int)s2s_x_begin; x <= s2s_x_last;
                                                             x++) {
                                                            {
                                                                int y1 = y * 2 + b - 1, x1 = x * 2 + e - 1;
                                                                if (y1 >= 0 && y1 < h && x1 >= 0 && x1 < w)
                                                                    out[(o * rows + y) * columns + x] +=
                                                                            in[(y1 * w + x1) * channels + o]
                                                                            * taps[(o * size + b) * size + e];
                                                            }
                                                        }
                                                    }
                                                }
                                                {
                                                    const int b = (int)s2s_o3;
                                                    const int e = (int)s2s_o4;
                                                    long s2s_x_begin = 256 * s2s_x_strip;
                                                    long s2s_x_end = 256 * s2s_x_strip + 255;
                                                    if (s2s_x_begin
                                                        < ((long)w < 0 ? -((-(long)w + 2 - 1) / 2)
                                                           : (long)w / 2) + 1)
                                                        s2s_x_begin = ((long)w < 0
                                                                       ? -((-(long)w + 2 - 1) / 2)
                                                                       : (long)w / 2) + 1;
                                                    if (s2s_x_end > columns - 1)
                                                        s2s_x_end = columns - 1;
                                                    if (s2s_x_end > w - 1) s2s_x_end = w - 1;
                                                    if (s2s_x_begin <= s2s_x_end) {
                                                        const int s2s_x_last = (int)s2s_x_end;
#pragma omp simd
                                                        for (int x = (int)s2s_x_begin; x <= s2s_x_last;
                                                             x++) {
                                                            {
                                                                int y1 = y * 2 + b - 1, x1 = x * 2 + e - 1;
                                                            }
                                                        }
                                                    }
                                                }
                                                {
                                                    const int b = (int)s2s_o3;
                                                    const int e = (int)s2s_o4;
                                                    long s2s_x_begin = 256 * s2s_x_strip;
                                                    long s2s_x_end = 256 * s2s_x_strip + 255;
                                                    if (s2s_x_begin < 2L - size)
                                                        s2s_x_begin = 2L - size;
                                                    if (s2s_x_begin < w) s2s_x_begin = w;
                                                    if (s2s_x_end > columns - 1)
                                                        s2s_x_end = columns - 1;
                                                    if (s2s_x_begin <= s2s_x_end) {
                                                        const int s2s_x_last = (int)s2s_x_end;
#pragma omp simd
                                                        for (int x = (int)s2s_x_begin; x <= s2s_x_last;
                                                             x++) {
                                                            {
                                                                int y1 = y * 2 + b - 1, x1 = x * 2 + e - 1;
                                                            }
                                                        }
                                                    }
                                                }
                                            }
                                        }
                                    }
                                }
                            }
                            if ((long)h / 2 + 1 < rows) {
                                const int s2s_y_last = rows;
                                for (int y = (int)((long)h / 2 + 1); y < s2s_y_last; y++) {
                                    {
                                        long s2s_x_end = 256 * s2s_x_strip + 255;
                                        if (s2s_x_end > columns - 1) s2s_x_end = columns - 1;
                                        if (256 * s2s_x_strip <= s2s_x_end) {
                                            const int s2s_x_last = (int)s2s_x_end;
#pragma omp simd
                                            for (int x = (int)(256 * s2s_x_strip);
                                                 x <= s2s_x_last; x++) {
                                                out[(o * rows + y) * columns + x] = 0;
                                            }
                                        }
                                    }
                                    if (0 < size) {
                                        const int s2s_b_last = size;
                                        for (int b = 0; b < s2s_b_last; b++) {
                                            if (0 < size) {
                                                const int s2s_e_last = size;
                                                for (int e = 0; e < s2s_e_last; e++) {
                                                    long s2s_x_end = 256 * s2s_x_strip + 255;
                                                    if (s2s_x_end > columns - 1)
                                                        s2s_x_end = columns - 1;
                                                    if (256 * s2s_x_strip <= s2s_x_end) {
                                                        const int s2s_x_last = (int)s2s_x_end;
#pragma omp simd
                                                        for (int x = (int)(256 * s2s_x_strip);
                                                             x <= s2s_x_last; x++) {
                                                            {
                                                                int y1 = y * 2 + b - 1, x1 = x * 2 + e - 1;
                                                            }
                                                        }
                                                    }
                                                }
                                            }
                                        }
                                    }
                                }
                            }
                        }
                    }
                } else if (0 < channels) {
                    const int s2s_o_last = channels;
                    for (int o = 0; o < s2s_o_last; o++) {
                        if (0 < rows) {
                            const int s2s_y_last = rows;
                            for (int y = 0; y < s2s_y_last; y++) {
                                {
                                    long s2s_x_end = 256 * s2s_x_strip + 255;
                                    if (s2s_x_end > columns - 1) s2s_x_end = columns - 1;
                                    if (256 * s2s_x_strip <= s2s_x_end) {
                                        const int s2s_x_last = (int)s2s_x_end;
#pragma omp simd
                                        for (int x = (int)(256 * s2s_x_strip); x <= s2s_x_last;
                                             x++) {
                                            out[(o * rows + y) * columns + x] = 0;
                                        }
                                    }
                                }
                                if (0 < size) {
                                    const int s2s_b_last = size;
                                    for (int b = 0; b < s2s_b_last; b++) {
                                        if (0 < size) {
                                            const int s2s_e_last = size;
                                            for (int e = 0; e < s2s_e_last; e++) {
                                                long s2s_x_end = 256 * s2s_x_strip + 255;
                                                if (s2s_x_end > columns - 1)
                                                    s2s_x_end = columns - 1;
                                                if (256 * s2s_x_strip <= s2s_x_end) {
                                                    const int s2s_x_last = (int)s2s_x_end;
#pragma omp simd
                                                    for (int x = (int)(256 * s2s_x_strip);
                                                         x <= s2s_x_last; x++) {
                                                        {
                                                            int y1 = y * 2 + b - 1, x1 = x * 2 + e - 1;
                                                        }
                                                    }
                                                }
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
    for (int o = 0; o < channels; o++)
        for (int y = 0; y < rows; y++)
            for (int x = 0; x < columns; x++) {
                double s = 0;
                for (int b = 0; b < size; b++)
                    for (int e = 0; e < size; e++) {
                        int y1 = y * 2 + b - 1, x1 = x * 2 + e - 1;
                        if (y1 >= 0 && y1 < h && x1 >= 0 && x1 < w)
                            s += in[(y1 * w + x1) * channels + o] * taps[(o * size + b) * size + e];
                    }
                out[(o * rows + y) * columns + x] = s;
            }
        }
    }
}

int main(void)
{
    static const int sizes[][3] = {{0, 0, 3}, {1, 1, 3}, {2, 7, 1}, {9, 65, 3}, {6, 70, 5}, {65, 66, 2}};
    for (int k = 0; k < 6; k++)
        for (int channels = 1; channels < 4; channels += 2) {
            int h = sizes[k][0], w = sizes[k][1], size = sizes[k][2];
            int rows = (h + 1) / 2, columns = (w + 1) / 2;
            size_t count = (size_t)channels * rows * columns;
            double *in = numbers((size_t)channels * h * w, 1), *out = numbers(count, 2);
            double *taps = numbers((size_t)channels * size * size, 3);
            halve(channels, h, w, rows, columns, size, in, taps, out);
            show("out", out, count * sizeof *out);
            free(in);
            free(out);
            free(taps);
        }
    return 0;
}
