/* Weight update of a fully connected layer, as back-propagation does it.
 *
 * The parallel loop runs over the columns and the inner loop walks down a column, one allocated
 * row after the other: each access is a stride away from the one before.
 *
 * usage: weights [INPUTS [OUTPUTS [EPOCHS]]]
 */
#include <inttypes.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RATE 0.3
#define MOMENTUM 0.25

void adjust(double *delta, int outputs, double *input, int inputs, double **w, double **before)
{
    int j, k;
    double change;

#pragma omp parallel for private(k, change)
    for (j = 0; j < outputs; j++) {
        for (k = 0; k < inputs; k++) {
            change = RATE * delta[j] * input[k] + MOMENTUM * before[k][j];
            w[k][j] += change;
            before[k][j] = change;
        }
    }
}

static double *vector(int length)
{
    double *result = malloc((size_t)length * sizeof *result);
    if (!result) {
        fprintf(stderr, "weights: out of memory\n");
        exit(1);
    }
    for (int i = 0; i < length; i++) {
        result[i] = (i * 29 % 64 - 32) / 64.0;
    }
    return result;
}

static double **matrix(int rows, int columns)
{
    double **result = malloc((size_t)rows * sizeof *result);
    if (!result) {
        fprintf(stderr, "weights: out of memory\n");
        exit(1);
    }
    for (int i = 0; i < rows; i++) {
        result[i] = vector(columns);
    }
    return result;
}

/* 64-bit FNV-1a over the bit patterns. */
static uint64_t hash(double **rows, int height, int width)
{
    uint64_t result = 0xcbf29ce484222325u;
    for (int i = 0; i < height; i++) {
        for (int j = 0; j < width; j++) {
            uint64_t bits;
            memcpy(&bits, &rows[i][j], sizeof bits);
            result = (result ^ bits) * 0x100000001b3u;
        }
    }
    return result;
}

static double sum(double **rows, int height, int width)
{
    double result = 0.0;
    for (int i = 0; i < height; i++) {
        for (int j = 0; j < width; j++) {
            result += rows[i][j];
        }
    }
    return result;
}

int main(int argc, char **argv)
{
    int inputs = argc > 1 ? atoi(argv[1]) : 3000;
    int outputs = argc > 2 ? atoi(argv[2]) : 1200;
    int epochs = argc > 3 ? atoi(argv[3]) : 10;
    if (inputs < 1 || outputs < 1 || epochs < 0) {
        fprintf(stderr, "usage: %s [INPUTS [OUTPUTS [EPOCHS]]]\n", argv[0]);
        return 2;
    }
    double *input = vector(inputs), *delta = vector(outputs);
    double **w = matrix(inputs, outputs), **before = matrix(inputs, outputs);

    double start = omp_get_wtime();
    for (int epoch = 0; epoch < epochs; epoch++) {
        adjust(delta, outputs, input, inputs, w, before);
    }
    double end = omp_get_wtime();

    printf("bits: %016" PRIx64 " %016" PRIx64 "\n", hash(w, inputs, outputs),
           hash(before, inputs, outputs));
    printf("sum: %.12g %.12g\n", sum(w, inputs, outputs), sum(before, inputs, outputs));
    fprintf(stderr, "time: %.6f s\n", end - start);
    return 0;
}
