/* Sums that walk along memory outside of their own loops: a layer of 3x3 windows over channels,
 * and a weighted blur whose weights a pointer walks through.
 *
 * usage: convolve [SIZE [CHANNELS [RADIUS]]]
 */
#include "../harness.h"
#include <time.h>

/* out[features][size][size] of in[channels][size + 2][size + 2]. */
static void layer(int channels, int features, int size, const float *in, const float *weights,
                  float *out)
{
    for (int k = 0; k < features; k++)
        for (int y = 0; y < size; y++)
            for (int x = 0; x < size; x++) {
                float sum = 0;
                for (int c = 0; c < channels; c++)
                    for (int i = 0; i < 3; i++)
                        for (int j = 0; j < 3; j++)
                            sum += weights[((k * channels + c) * 3 + i) * 3 + j]
                                   * in[(c * (size + 2) + y + i) * (size + 2) + x + j];
                out[(k * size + y) * size + x] = sum > 0 ? sum : 0;
            }
}

static void blur(int width, int height, int radius, const float *in, const float *weights,
                 float *out)
{
    for (int y = radius; y < height - radius; y++)
        for (int x = radius; x < width - radius; x++) {
            const float *weight = weights;
            float sum = 0;
            for (int i = -radius; i <= radius; i++)
                for (int j = -radius; j <= radius; j++)
                    sum += *weight++ * in[(y + i) * width + x + j];
            out[y * width + x] = sum;
        }
}

int main(int argc, char **argv)
{
    int size = argc > 1 ? atoi(argv[1]) : 112;
    int channels = argc > 2 ? atoi(argv[2]) : 32;
    int radius = argc > 3 ? atoi(argv[3]) : 3;
    if (size < 1 || size > 4000 || channels < 1 || channels > 4000 || radius < 0 || radius > 99) {
        fprintf(stderr, "usage: %s [SIZE [CHANNELS [RADIUS]]]\n", argv[0]);
        return 2;
    }
    size_t rows = (size_t)channels * (size_t)(size + 2), window = (size_t)(2 * radius + 1);
    size_t weights_count = 9 * (size_t)channels * (size_t)channels;
    float *in = zeroed(rows * (size_t)(size + 2), sizeof *in);
    float *weights = zeroed(weights_count, sizeof *weights);
    float *taps = zeroed(window * window, sizeof *taps);
    float *out = zeroed((size_t)channels * (size_t)size * (size_t)size, sizeof *out);
    float *smooth = zeroed(rows * (size_t)(size + 2), sizeof *smooth);
    uint64_t state = 5;
    for (size_t i = 0; i < rows * (size_t)(size + 2); i++) in[i] = (float)next_number(&state);
    for (size_t i = 0; i < weights_count; i++) weights[i] = (float)next_number(&state) - 0.5f;
    for (size_t i = 0; i < window * window; i++) taps[i] = (float)next_number(&state);

    struct timespec start, end;
    timespec_get(&start, TIME_UTC);
    layer(channels, channels, size, in, weights, out);
    blur(size + 2, (int)rows, radius, in, taps, smooth);
    timespec_get(&end, TIME_UTC);

    uint64_t hash = hash_of(out, (size_t)channels * (size_t)size * (size_t)size * sizeof *out);
    hash = hash_more(hash, smooth, rows * (size_t)(size + 2) * sizeof *smooth);
    printf("bits: %016" PRIx64 "\n", hash);
    printf("sum: %.4f\n", sum_of_floats(smooth, rows * (size_t)(size + 2)));
    fprintf(stderr, "time: %.6f s\n",
            (double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec));
    free(in), free(weights), free(taps), free(out), free(smooth);
    return 0;
}
