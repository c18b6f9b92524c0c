/* Argument: units of the input layer. One pass forward and back through the suite's network. */
#include "../bench.h"

#include "backprop.h"

void bpnn_train_kernel(BPNN *net, float *eo, float *eh);

/* The suite's main wants it; that main does not run. */
int setup(int argc, char **argv);

int setup(int argc, char **argv)
{
    return argc - (argv != NULL);
}

enum { HIDDEN = 16, OUTPUT = 1 };

/* Weights around zero, so small that no unit saturates: else all changes of weights are zero. */
static void spread_weights(float **rows, int count, int width, uint64_t stream)
{
    double scale = 1.0 / sqrt((double)count);
    for (int i = 0; i <= count; i++)
        for (int j = 0; j <= width; j++) {
            uint64_t position = (uint64_t)i * (uint64_t)(width + 1) + (uint64_t)j;
            rows[i][j] = (float)(scale * (bench_random(stream, position) - 0.5));
        }
}

static void print_rows(const char *name, float **rows, int count, int width)
{
    bench_digest digest = {0, 0, 0.0, 0.0};
    for (int i = 0; i <= count; i++)
        for (int j = 1; j <= width; j++)
            bench_add(&digest, rows[i][j]);
    bench_print(name, &digest);
}

int main(int argc, char **argv)
{
    int units = bench_argument(argc, argv, 1);
    BPNN *net = bpnn_create(units, HIDDEN, OUTPUT);
    float output_error = 0.0f, hidden_error = 0.0f;
    for (int i = 1; i <= units; i++)
        net->input_units[i] = (float)bench_random(1, (uint64_t)i);
    net->input_units[0] = 1.0f;
    spread_weights(net->input_weights, units, HIDDEN, 2);
    spread_weights(net->input_prev_weights, units, HIDDEN, 3);
    spread_weights(net->hidden_weights, HIDDEN, OUTPUT, 4);

    double start = bench_now();
    bpnn_train_kernel(net, &output_error, &hidden_error);
    bench_time(bench_now() - start);
    bench_floats("hidden", net->hidden_units + 1, HIDDEN);
    bench_floats("output", net->output_units + 1, OUTPUT);
    print_rows("input_weights", net->input_weights, units, HIDDEN);
    print_rows("input_prev_weights", net->input_prev_weights, units, HIDDEN);
    print_rows("hidden_weights", net->hidden_weights, HIDDEN, OUTPUT);
    return 0;
}
